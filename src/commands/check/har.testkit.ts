/** Reads a HAR file, and rejects what the published JSON Schema of HAR 1.2 does not allow. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { Ajv } from 'ajv'

const load = createRequire(import.meta.url)
const schemas = load('har-schema') as Readonly<Record<string, object>>
// Formats need another package, and the times and addresses of the file are ours.
const ajv = new Ajv({ strict: false, validateFormats: false })
ajv.addMetaSchema(load('ajv/dist/refs/json-schema-draft-06.json') as object)
ajv.addSchema(Object.values(schemas))

interface Message {
  readonly headers: readonly { readonly name: string; readonly value: string }[]
}

export interface HarEntry {
  readonly startedDateTime: string
  readonly time: number
  readonly request: Message & {
    readonly method: string
    readonly url: string
    readonly queryString: Message['headers']
    readonly postData?: { readonly mimeType: string; readonly text: string }
  }
  readonly response: Message & {
    readonly status: number
    readonly content: { readonly size: number; readonly mimeType: string; readonly text: string }
    readonly _error?: string
  }
}

export function readHar(path: string): readonly HarEntry[] {
  const har: unknown = JSON.parse(readFileSync(path, 'utf8'))
  if (!ajv.validate('har.json#', har)) throw new Error(`${path}: ${ajv.errorsText()}`)
  return (har as { readonly log: { readonly entries: readonly HarEntry[] } }).log.entries
}
