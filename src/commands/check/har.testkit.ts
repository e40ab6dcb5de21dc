/** Reads a HAR file, and rejects what HAR 1.2 does not have: http://www.softwareishard.com/blog/har-12-spec/ */
import { readFileSync } from 'node:fs'
import * as z from 'zod'

const size = z.int().min(-1)
const named = z.array(z.strictObject({ name: z.string(), value: z.string() }))
const message = { httpVersion: z.string(), cookies: z.tuple([]), headers: named, headersSize: size, bodySize: size }
const entry = z.strictObject({
  startedDateTime: z.iso.datetime(),
  time: z.number().min(0),
  request: z.strictObject({
    ...message,
    method: z.string(),
    url: z.url(),
    queryString: named,
    postData: z.strictObject({ mimeType: z.string(), text: z.string() }).optional(),
  }),
  response: z.strictObject({
    ...message,
    status: z.int(),
    statusText: z.string(),
    content: z.strictObject({ size: z.int().min(0), mimeType: z.string(), text: z.string() }),
    redirectURL: z.string(),
    // Names that begin with an underscore are free. Chrome shows this one.
    _error: z.string().optional(),
  }),
  cache: z.strictObject({}),
  timings: z.strictObject({ send: z.number().min(0), wait: z.number().min(0), receive: z.number().min(0) }),
})
const har = z.strictObject({
  log: z.strictObject({
    version: z.literal('1.2'),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    entries: z.array(entry),
  }),
})

export const readHar = (path: string) => har.parse(JSON.parse(readFileSync(path, 'utf8'))).log.entries
