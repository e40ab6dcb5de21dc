/** Permission to write, as the runner takes it: readings of foreign data, writers for checks, and cleanup. */
import { assumed, type Check } from '../contract/check.js'
import type { OwnedContext } from '../contract/context.js'
import type { Result } from '../contract/report.js'
import type { WriteAccess } from '../contract/runner.js'
import { cleanUp, leftText } from './cleanup.js'
import { readUntil } from './eventually.js'
import { differencesIn, foreignDataCheck, foreignDataResult, type ForeignData, type Reading } from './foreign-data.js'
import type { Operation } from '../contract/operation.js'
import { isKnown, type Ledger } from './ledger.js'
import { secretFree } from './secret-free.js'
import { createWriter, newWriterState, type WriterOptions } from './writer.js'

export interface WriteAccessOptions extends WriterOptions {
  /** The names of the resources that may be written. */
  readonly allowed: readonly string[]
  readonly foreignData: ForeignData
}

const cleanupCheck: Check = {
  id: 'leaves-no-trace',
  title: 'Every created object that can be deleted MUST be deleted.',
  basis: assumed('The suite promises it itself.'),
  run: async () => {},
}

/** The results that a run which writes adds to those of its checks. */
export const writeResults: readonly Check[] = [foreignDataCheck, cleanupCheck]

interface FirstReading {
  readonly operation: Operation
  readonly reading: Reading
}

export function createWriteAccess(options: WriteAccessOptions): WriteAccess {
  const { allowed, resources, consistencyTimeout } = options
  const state = newWriterState()
  let first: FirstReading | string = 'no check wrote.'
  const ledgerFor = (context: OwnedContext) => secretFree(options.ledger, context.redact)
  return {
    allowed,
    async begin(context) {
      first = await readFirst(options, context).catch(unreadable)
    },
    writerFor: (context) => createWriter({ ...options, ledger: ledgerFor(context) }, state, context),
    async finish(context, results) {
      const ledger = ledgerFor(context)
      const { result: cleanup, ...spent } = await timed(context, () =>
        cleanUp({ ledger, resources, context, consistencyTimeout, ownRun: true }),
      )
      const { result: compared, ...more } = await timed(context, () => compare(options, context, first))
      const { unconfirmed } = cleanup
      const { id, title, basis } = cleanupCheck
      const created = ledger.entries().filter(isKnown).length
      const gone = ledger.entries().filter(({ state }) => state === 'undone').length
      const left = [...cleanup.left.map(leftText), ...cleanup.remarks]
      const cleanupResult: Result = {
        id,
        title,
        basis,
        outcome: unconfirmed.length > 0 ? 'error' : 'pass',
        sentence: [`${created} created, ${gone} removed.`, ...unconfirmed, ...left].join(' '),
        findings: [],
        remarks: left,
        retries: 0,
        ...spent,
      }
      const judged = results.map((it) => (it.outcome === 'fail' ? unlessDisturbed(it, compared.otherTag) : it))
      return [...judged, foreignDataResult(compared.outcome, compared.sentences, more), cleanupResult]
    },
  }
}

async function timed<Value>({ spent }: OwnedContext, work: () => Promise<Value>) {
  const [began, calls] = [performance.now(), spent.calls]
  const result = await work()
  return { result, calls: spent.calls - calls, ms: performance.now() - began }
}

const isOwn = (ledger: Ledger) => (id: string) => ledger.entries().some((it) => it.id === id)

const unreadable = (error: unknown): string => String((error as Error)?.message ?? error)

async function readFirst({ foreignData, ledger }: WriteAccessOptions, context: OwnedContext): Promise<FirstReading> {
  const operation = await foreignData.operation(context)
  return { operation, reading: await foreignData.read(context, operation, isOwn(ledger)) }
}

interface Comparison {
  readonly outcome: 'pass' | 'skip' | 'inconclusive'
  readonly sentences: readonly string[]
  /** A tag of another run that wrote meanwhile. */
  readonly otherTag?: string | undefined
}

async function compare(
  { foreignData, ledger, consistencyTimeout }: WriteAccessOptions,
  context: OwnedContext,
  first: FirstReading | string,
): Promise<Comparison> {
  if (ledger.entries().length === 0) return { outcome: 'skip', sentences: ['Nothing was written.'] }
  const failed = (words: string): Comparison => ({
    outcome: 'inconclusive',
    sentences: [`Foreign data cannot be read: ${words}`],
  })
  if (typeof first === 'string') return failed(first)
  const read = async () => {
    const reading = await foreignData.read(context, first.operation, isOwn(ledger))
    const isGone = (name: string) => foreignData.isGone(context, name)
    return { reading, differences: await differencesIn(first.reading, reading, isGone) }
  }
  try {
    const { value } = await readUntil(consistencyTimeout, read, ({ differences }) => differences.length === 0)
    const [before, after] = [first.reading.otherTags, value.reading.otherTags]
    const isOther = (it: string) =>
      !it.startsWith(`${ledger.head.run}-`) && !(before.includes(it) && after.includes(it))
    const otherTag = [...before, ...after].find(isOther)
    if (value.differences.length > 0) return { outcome: 'inconclusive', sentences: value.differences, otherTag }
    return { outcome: 'pass', sentences: [`${first.reading.objects.size} objects are unchanged.`], otherTag }
  } catch (error) {
    return failed(unreadable(error))
  }
}

/** Two runs that write at once get in each other's way, so a failure may come from the other one. */
function unlessDisturbed(result: Result, otherTag: string | undefined): Result {
  if (otherTag === undefined) return result
  const reason = `Another run was writing (tag ${otherTag}) and may have caused this. Let one run write at a time.`
  return { ...result, outcome: 'inconclusive', sentence: `${result.sentence ?? ''} ${reason}`, findings: [] }
}
