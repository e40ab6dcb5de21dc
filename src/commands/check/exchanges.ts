/** Writes each request of a run and its response to a HAR file, while the run goes on. */
import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import { maskSecrets } from '../../shared/mask-secrets.js'
import type { Redact } from '../../client/redact.js'
import type { Attempt, Target } from '../../client/target.js'
import { messageOf } from '../../shared/text.js'
import { ownPackage } from '../../shared/package.js'

/** Ends the file after each entry, so that it can be read even if the process is killed or the disk is full. */
const tail = '\n]}}\n'

export interface ExchangeFile {
  /** The target, with each of its requests written to the file. */
  recorded(target: Target): Target
  /** Closes the file. The first call returns why it is not complete, if it is not. */
  close(): string | undefined
}

/** The file is created by the first request. */
export function createExchangeFile(path: string): ExchangeFile {
  const creator = { name: 'commerce-mock', version: ownPackage().version }
  let file: number | undefined
  let end = 0
  let problem: string | undefined
  /** Writes over the end of the file, and ends it again. If that does not fit, it stays as it was. */
  function write(text: string) {
    file ??= openSync(path, 'w')
    try {
      const bytes = Buffer.from(text + tail)
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at, bytes.length - at, end + at)
      end += bytes.length - tail.length
    } catch (error) {
      if (end > 0) {
        ftruncateSync(file, end)
        writeSync(file, tail, end)
      }
      throw error
    }
  }
  const add = (attempt: Attempt, redact: Redact) => {
    if (problem !== undefined) return
    try {
      const isFirst = file === undefined
      if (isFirst) write(`{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"entries":[`)
      write(`${isFirst ? '' : ','}\n${JSON.stringify(entryOf(attempt, redact))}`)
    } catch (error) {
      problem = messageOf(error)
    }
  }
  return {
    recorded: (target) => ({
      name: target.name,
      redact: (text) => target.redact(text),
      close: () => target.close(),
      send: (request, options) =>
        target.send(request, {
          ...options,
          onAttempt(attempt) {
            add(attempt, (text) => target.redact(text))
            options?.onAttempt?.(attempt)
          },
        }),
    }),
    close() {
      const found = problem
      // A request that was given up may still end later.
      problem = 'The file is closed.'
      if (file !== undefined) closeSync(file)
      file = undefined
      return found
    },
  }
}

/** Headers that hold a secret, whatever it is. */
const secretHeaders = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i

/** An entry of HAR 1.2. */
function entryOf({ startedAt, ms, request, response, error }: Attempt, redact: Redact) {
  const headersOf = (headers: Readonly<Record<string, string | readonly string[] | undefined>>) =>
    Object.entries(headers).flatMap(([name, values]) =>
      [values ?? []].flat().map((it) => ({ name, value: secretHeaders.test(name) ? '[secret]' : redact(it) })),
    )
  const textOf = (body: string) => maskSecrets(redact(body))
  const { method, body } = request
  const url = new URL(request.url)
  const parameters = [...url.searchParams].map(([name, value]) => ({ name, value: textOf(value) }))
  url.search = new URLSearchParams(parameters.map(({ name, value }) => [name, value])).toString()
  const { status = 0, statusText = '', headers = {}, body: content = new Uint8Array() } = response ?? {}
  const common = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    startedDateTime: new Date(startedAt).toISOString(),
    time: ms,
    request: {
      ...common,
      method,
      url: redact(url.href),
      headers: headersOf(request.headers),
      queryString: parameters,
      ...(body !== undefined && { postData: { mimeType: 'application/json', text: textOf(body) } }),
      bodySize: Buffer.byteLength(body ?? ''),
    },
    response: {
      ...common,
      status,
      statusText: redact(statusText),
      headers: headersOf(headers),
      content: {
        size: content.length,
        mimeType: redact([headers['content-type'] ?? ''].flat().join()),
        text: textOf(new TextDecoder().decode(content)),
      },
      redirectURL: redact([headers['location'] ?? ''].flat().join()),
      bodySize: -1,
      ...(error !== undefined && { _error: redact(messageOf(error)) }),
    },
    cache: {},
    timings: { send: 0, wait: ms, receive: 0 },
  }
}
