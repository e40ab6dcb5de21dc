/** Leave to write, and what it takes: the guard of the host, the ledger, the inputs and the people that are made up. */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isInputObjectType } from 'graphql'
import { others } from '../../../contracts/support/others.js'
import { writeKinds } from '../../../contracts/writes.js'
import { inputSource, readInputTypes, type Asking, type InputSource, type InputTypes } from '../../writing/inputs.js'
import { createLedger, type Ledger } from '../../writing/ledger.js'
import type { WriteOptions } from '../../contract/runner.js'
import type { Shapes } from '../../contract/shape.js'
import { isLoopback } from '../../shared/loopback.js'
import { announcementOf } from './announcement.js'
import { UsageError } from '../options.js'
import { createRows } from '../../mock/rows.js'

/** Writing to a host that is not this machine must be said twice. Throws a UsageError. */
export function guardHost(url: URL, confirmed: string | undefined, option: string): void {
  if (confirmed === url.host || (confirmed === undefined && isLoopback(url.hostname))) return
  const what = `${option} would write to ${url.host}.`
  if (confirmed === undefined) throw new UsageError(`${what} If that is meant, say so: --confirm-host ${url.host}`)
  throw new UsageError(
    `${what} --confirm-host names ${JSON.stringify(confirmed)}. They must be equal, the port included.`,
  )
}

export interface WritingOptions {
  readonly allowed: readonly string[]
  /** Where the target is; left out for the mock in this process. */
  readonly url?: URL | undefined
  readonly ledger?: string | undefined
  /** SDL. */
  readonly inputs?: string | undefined
  readonly includeAssumed?: boolean | undefined
  readonly productUids?: readonly string[] | undefined
  readonly settleMs?: number | undefined
  readonly shapes: Shapes
}

export interface Writing {
  readonly write: WriteOptions
  /** What is about to happen, in lines; the target is asked what its inputs take. */
  readonly announcement: (send: Asking['send']) => Promise<readonly string[]>
  /** Closes the ledger, and deletes it where nothing is left to do by it; else returns how to do that. */
  finish(): string | undefined
}

/** What stands in a ledger in place of a base_url. */
export const inProcess = 'the mock in this process'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const runId = () => `cm-${Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')}`

/** Throws a UsageError where the ledger cannot be made or the inputs cannot be read. */
export function prepareWriting(options: WritingOptions): Writing {
  const { allowed, url, productUids = [], settleMs = 2000 } = options
  const run = runId()
  const host = url?.host.replace(/[^\w.-]/g, '_')
  const temporary =
    url === undefined && options.ledger === undefined ? mkdtempSync(join(tmpdir(), 'commerce-mock-')) : undefined
  const path = options.ledger ?? join(temporary ?? '.commerce-mock', `check-${host ?? 'mock'}-${run}.jsonl`)
  const inputs = inputsOf(options)
  const confirmed = url === undefined || isLoopback(url.hostname) ? '' : ` --confirm-host ${url.host}`
  const removal = `check --remove ${path}${confirmed}`
  const ledger = createLedger(path, { run, baseUrl: url?.href ?? inProcess, by: 'check' })
  const write: WriteOptions = {
    allowed,
    ledger,
    kinds: writeKinds,
    others,
    inputs,
    row: createRows({ seed: randomInt(2 ** 31), counts: { pixels: 20, integrations: 20 } }),
    productUids,
    settleMs,
  }
  return {
    write,
    async announcement(send) {
      const told = new Map<string, unknown>()
      const shared = <Value>(key: string, make: () => Value): Value => {
        if (!told.has(key)) told.set(key, make())
        return told.get(key) as Value
      }
      const { lines, sends } = await announcementOf(write, { send, shared })
      const place = url?.host ?? inProcess
      // A mock in this process is gone with it, and all that was written.
      const ending = url === undefined ? '.' : `; after a crash: ${removal}`
      return [
        sends ? `Writing to ${place}, with the mark ${run} on everything:` : `Nothing will be written to ${place}:`,
        ...lines.map((it) => `  ${it}`),
        ...(sends ? [`  What is written stands in ${path}${ending}`] : []),
      ]
    },
    finish() {
      ledger.close()
      const open = openEntries(ledger)
      if (open) return removal
      rmSync(path, { force: true })
      if (temporary !== undefined) rmSync(dirname(path), { recursive: true, force: true })
      return undefined
    },
  }
}

/** What somebody may have to look at yet. */
const openStates: readonly string[] = ['intended', 'answered', 'made', 'unproven', 'unseen', 'undoing']
const openEntries = (ledger: Ledger): boolean => ledger.entries().some(({ state }) => openStates.includes(state))

function inputsOf({ inputs, includeAssumed, shapes }: WritingOptions): InputSource {
  return inputSource({
    given: inputs === undefined ? undefined : readInputs(inputs),
    ours: ourInputs(shapes, includeAssumed),
  })
}

/** The input types of our schema that may be sent: those that are documented as a whole, or all. */
export const ourInputs = (shapes: Shapes, includeAssumed = false): InputTypes =>
  new Map(
    Object.values(shapes.schema.getTypeMap())
      .filter(isInputObjectType)
      .filter(
        (type) =>
          includeAssumed ||
          Object.keys(type.getFields()).every((field) => isDocumented(shapes, `${type.name}.${field}`)),
      )
      .map((type) => [type.name, type]),
  )

const isDocumented = ({ marks }: Shapes, coordinate: string) => marks.get(coordinate)?.basis === 'documented'

/** Throws a UsageError where the text is no SDL of input types. */
export function readInputs(sdl: string): InputTypes {
  try {
    return readInputTypes(sdl)
  } catch (error) {
    throw new UsageError(`--inputs: the file holds no input types that can be read: ${(error as Error).message}`)
  }
}
