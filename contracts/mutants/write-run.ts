/** Runs the checks that write against mutants and variants, each with a mock of its own. */
import type { MockSetup, Wrap } from './mutant.js'
import { writeMutants } from './write-mutants.js'
import { foreignData } from '../support/foreign-data.js'
import { scoreMutants, scoreVariants, type Score } from './score.js'
import { contractShapes } from '../support/shapes.js'
import { writeVariants } from './variants/write.js'
import type { OfWriting, WriteRunOptions, WriteMutant, WriteVariant } from './mutation-rules.js'
import { writable, writeResources } from '../resources.js'
import { writeChecks } from '../write-checks.js'
import { inputSource, readInputTypes } from '../../src/writing/inputs.js'
import type { Ledger } from '../../src/writing/ledger.js'
import { ledgerInMemory } from '../../src/writing/memory-ledger.testkit.js'
import { createWriteAccess } from '../../src/writing/write-access.js'
import type { Report } from '../../src/contract/report.js'
import { runChecks, type RunOptions } from '../../src/contract/runner.js'
import type { Shapes } from '../../src/contract/shape.js'
import type { Answer, Target } from '../../src/client/target.js'
import { defaultProfile } from '../../src/profile.js'
import type { Mock } from '../../src/mock/create-mock.js'
import { productUidsOf } from '../../src/mock/mock-target.js'
import { createRows } from '../../src/mock/rows.js'
import { atMost, mockWith, runsAtOnce } from './read-run.js'
import { ourInputs } from '../../src/commands/check/writing.js'

export interface WritingScoreOptions {
  readonly mutants?: readonly WriteMutant[] | undefined
  readonly variants?: readonly WriteVariant[] | undefined
  readonly onProgress?: ((id: string, done: number, of: number) => void) | undefined
}

export async function scoreWriting(options: WritingScoreOptions = {}): Promise<Score> {
  const { mutants = writeMutants, variants = writeVariants, onProgress } = options
  const bench = createWritingBench()
  let done = 0
  const run = async (disguise: Disguise & { readonly id: string }) => {
    const report = await bench.run({ ...bench.disguised(disguise), ...disguise.run })
    onProgress?.(disguise.id, (done += 1), mutants.length + variants.length)
    return report
  }
  const ofVariants = await atMost(runsAtOnce, variants, async (variant) => ({ variant, report: await run(variant) }))
  const ofMutants = await atMost(runsAtOnce, mutants, async (mutant) => ({
    mutant,
    report: withoutCleanup(await run(mutant)),
  }))
  return { ...scoreMutants(ofMutants, writeChecks), ...scoreVariants(ofVariants, writeChecks) }
}

/** Without the cleanup result, because a mutant may well keep cleanup from its work. */
export const withoutCleanup = (report: Report): Report => ({
  ...report,
  results: report.results.filter(({ id }) => id !== 'leaves-no-trace'),
})

export interface Disguise extends OfWriting {
  readonly world?: MockSetup | undefined
  readonly wrap?: Wrap | undefined
}

export interface WritingRun extends WriteRunOptions {
  readonly target: Target
  readonly mock: Mock
  readonly ledger?: Ledger
  readonly allowed?: readonly string[]
  readonly signal?: AbortSignal
  readonly checks?: RunOptions['checks']
  readonly maxRequests?: number
}

export interface WritingBench {
  readonly shapes: Shapes
  /** A mock of a world. Equal worlds are built once. */
  mockOf(birth?: MockSetup): Mock
  /** A mock, and a target that changes it. */
  disguised(disguise: Disguise): { readonly mock: Mock; readonly target: Target }
  run(options: WritingRun): Promise<Report>
}

export function createWritingBench(): WritingBench {
  const shapes = memoized(contractShapes())
  const rows = createRows({ seed: 5, counts: { pixels: 20, integrations: 20 } })
  const worlds = new Map<string, Mock>()
  const mockOf = (birth: MockSetup = {}): Mock => {
    const key = JSON.stringify(birth)
    const world = worlds.get(key) ?? mockWith(birth)
    worlds.set(key, world)
    return world.fork()
  }
  return {
    shapes,
    mockOf,
    disguised({ world, wrap = (it) => it, replica }) {
      const mock = mockOf(world)
      const target = plainTarget(mock)
      return { mock, target: wrap(replica ? replica(target, plainTarget(mock.fork())) : target, shapes) }
    },
    run({
      target,
      mock,
      ledger = ledgerInMemory(),
      allowed = writable,
      consistencyTimeout = 0,
      includeAssumed,
      inputs,
      values = {},
      ...rest
    }) {
      return runChecks({
        checks: writeChecks,
        ...rest,
        target,
        shapes,
        expected: defaultProfile,
        includeAssumed,
        minJudged: 0,
        write: createWriteAccess({
          allowed,
          resources: writeResources,
          foreignData,
          ledger,
          inputs: inputSource({
            values: (name) => values[name] ?? {},
            given: inputs === undefined ? undefined : readInputTypes(inputs),
            ours: ourInputs(shapes, includeAssumed),
          }),
          row: rows,
          productUids: productUidsOf(mock),
          consistencyTimeout,
        }),
      })
    },
  }
}

/** The mock without its HTTP layer, which would take half of the time. */
export const plainTarget = (mock: Mock): Target => ({
  name: 'the mock in this process',
  redact: (text) => text,
  async send({ query, variables, operationName }): Promise<Answer> {
    const result = await mock.execute({ query, variables, operationName })
    return { status: 200, body: JSON.parse(JSON.stringify(result)) as Answer['body'], ms: 0 }
  },
  close: async () => {},
})

/** Shapes that parse a document once for all runs. */
function memoized(given: Shapes): Shapes {
  const once = <Value>(make: (document: string) => Value) => {
    const known = new Map<string, Value>()
    return (document: string): Value => {
      const value = known.get(document) ?? make(document)
      known.set(document, value)
      return value
    }
  }
  return { ...given, prepared: once(given.prepared), assumedIn: once(given.assumedIn) }
}
