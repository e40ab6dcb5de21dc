/** What a run needs to write: the confirmed host, the ledger, the input types and the demo rows. */
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { foreignData } from '../../../contracts/support/foreign-data.js'
import { resources, writeResources } from '../../../contracts/resources.js'
import type { Report } from '../../contract/report.js'
import type { WriteAccess } from '../../contract/runner.js'
import type { Shapes } from '../../contract/shape.js'
import { createRows } from '../../mock/rows.js'
import { isLoopback } from '../../shared/loopback.js'
import { inputSource, inputTypesIn, readInputTypes, type InputTypes, type Send } from '../../writing/inputs.js'
import { createLedger, isOpen } from '../../writing/ledger.js'
import { createWriteAccess } from '../../writing/write-access.js'
import { UsageError } from '../options.js'
import { readValues } from './values.js'

/** Writing to a host that is not this machine must be confirmed. Throws a UsageError. */
export function guardHost(url: URL, confirmed: string | undefined, option: string): void {
  if (confirmed === url.host || (confirmed === undefined && isLoopback(url.hostname))) return
  const what = `${option} would write to ${url.host}.`
  if (confirmed === undefined) throw new UsageError(`${what} Confirm that with --confirm-host ${url.host}`)
  throw new UsageError(
    `${what} --confirm-host names ${JSON.stringify(confirmed)}. Both must be equal, including the port.`,
  )
}

/**
 * What a run may write, and how.
 * @example
 * const write: WriteOptions = {
 *   resources: ['segments', 'stores'],
 *   confirmHost: 'staging.example.com',
 *   consistencyTimeout: 5000,
 * }
 */
export interface WriteOptions {
  /** `segments`, `stores`, `customers`, `integrations`, `pixels`. */
  readonly resources: readonly string[]
  /** The host and port of the target, required if it is not this machine. */
  readonly confirmHost?: string | undefined
  /** The file that lists what was written. Defaults to `.commerce-mock/check-HOST-RUN.jsonl`. */
  readonly ledger?: string | undefined
  /** SDL with the target's input types, for a target without introspection. */
  readonly inputs?: string | undefined
  /** Values for required input fields that nobody can guess, by input type or mutation, or a YAML or JSON file of them. */
  readonly values?: string | object | undefined
  /** Products that may be attached to a store of the suite. */
  readonly productUids?: readonly string[] | undefined
  /** Milliseconds until the target shows what was written. Defaults to 2000. */
  readonly consistencyTimeout?: number | undefined
}

export interface WritingTarget {
  /** Left out for the mock in this process. */
  readonly url?: URL | undefined
  readonly shapes: Shapes
  readonly includeAssumed?: boolean | undefined
}

export interface Writing {
  readonly access: WriteAccess
  /** What is sent at most, in lines. Throws a UsageError if the target's input types do not take the values of the user. */
  readonly announcement: (send: Send) => Promise<readonly string[]>
  /** Closes the ledger, and deletes it if nothing is left to clean up. Returns the cleanup command if something is. */
  finish(): string | undefined
  /** What the report tells of the ledger. */
  written(): Pick<Report, 'ledger' | 'left'>
}

/** The address in the ledger of a run that had no base_url. */
export const inProcess = 'the mock in this process'

/** The same values in every run, so that the same server gets the same verdict. */
const sampleSeed = 7

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const newRunId = () => `cm-${Array.from({ length: 6 }, () => letters[randomInt(letters.length)]).join('')}`

/** Throws an Error if the ledger cannot be created or the inputs cannot be read. */
export function prepareWriting(options: WriteOptions, { url, shapes, includeAssumed }: WritingTarget): Writing {
  const { resources: allowed, productUids = [], consistencyTimeout = 2000 } = options
  const run = newRunId()
  const host = url?.host.replace(/[^\w.-]/g, '_')
  const temporary =
    url === undefined && options.ledger === undefined ? mkdtempSync(join(tmpdir(), 'commerce-mock-')) : undefined
  const path = options.ledger ?? join(temporary ?? '.commerce-mock', `check-${host ?? 'mock'}-${run}.jsonl`)
  const values = options.values === undefined ? undefined : readValues(options.values, shapes)
  const inputs = inputSource({
    values: values?.values,
    given: options.inputs === undefined ? undefined : readInputs(options.inputs),
    ours: ourInputs(shapes, includeAssumed),
  })
  const row = createRows({ seed: sampleSeed, counts: { pixels: 20, integrations: 20 } })
  const confirmed = url === undefined || isLoopback(url.hostname) ? '' : ` --confirm-host ${url.host}`
  const cleanup = `commerce-mock check cleanup ${path}${confirmed}`
  const ledger = createLedger(path, { run, baseUrl: url?.href ?? inProcess, by: 'check' })
  const writer = { ledger, resources: writeResources, inputs, row, productUids, consistencyTimeout }
  const access = createWriteAccess({ ...writer, allowed, foreignData })
  return {
    access,
    async announcement(send) {
      await values?.compare(inputs, send)
      const place = url?.host ?? inProcess
      // What was written to a mock in this process is lost with it.
      const afterCrash = url === undefined ? '.' : `; after a crash: ${cleanup}`
      return [
        `Writing to ${place}, everything tagged ${run}, at most:`,
        ...resources.filter(({ name }) => allowed.includes(name)).map((it) => `  ${it.name}: ${it.announced}`),
        `  Ledger: ${path}${afterCrash}`,
      ]
    },
    finish() {
      ledger.close()
      if (ledger.entries().some(isOpen)) return cleanup
      rmSync(path, { force: true })
      if (temporary !== undefined) rmSync(dirname(path), { recursive: true, force: true })
      return undefined
    },
    written() {
      const entries = ledger.entries()
      const there = entries.filter((it) => isOpen(it) || it.state === 'left')
      const left = there.map((it) => ({ kind: it.kind, tag: it.key, id: it.id, unconfirmed: isOpen(it) }))
      return { ledger: { path, kept: entries.some(isOpen) }, left: [...left, ...access.copies] }
    },
  }
}

/** The input types of our schema that are documented as a whole, or all of them. */
export const ourInputs = ({ schema, provenance }: Shapes, includeAssumed = false): InputTypes =>
  new Map(
    [...inputTypesIn(schema)].filter(([name, type]) => {
      const isDocumented = (field: string) => provenance.get(`${name}.${field}`)?.basis === 'documented'
      return includeAssumed || Object.keys(type.getFields()).every(isDocumented)
    }),
  )

/** Throws a UsageError if the text is no SDL of input types. */
export function readInputs(sdl: string): InputTypes {
  try {
    return readInputTypes(sdl)
  } catch (error) {
    throw new UsageError(`--inputs: the file has no readable input types: ${(error as Error).message}`)
  }
}
