/** A run of the checks that write, against a mock in this process that nobody else sees. */
import { type Mock } from '../src/commands/mock.js'
import { productUidsOf } from '../src/commands/mock-target.js'
import { bornAs } from '../src/commands/self-test.js'
import { ownPackage } from '../src/commands/package.js'
import { createRows } from '../src/commands/rows.js'
import { inputSource, readInputTypes, type InputTypes } from '../src/contract/inputs.js'
import type { Entry, Ledger } from '../src/contract/ledger.js'
import type { Report } from '../src/contract/report.js'
import { runChecks, type RunOptions } from '../src/contract/run.js'
import type { Shapes } from '../src/contract/shape.js'
import type { Answer, GraphqlRequest, Target } from '../src/contract/target.js'
import { parseSchema } from '../src/schema/load.js'
import { defaultProfile } from '../src/schema/profile.js'
import { dump } from '../src/commands/dump.testkit.js'
import type { BirthOptions, Saboteur } from './saboteur.js'
import { serviceShapes } from './shapes.js'
import { mutationsIn, type OfWriting, type WriteRunOptions } from './write-rules.js'
import { writeChecks } from './writing.js'
import { writable, writeKinds } from './writes.js'

export const shapes = remembering(serviceShapes(parseSchema(ownPackage().schema)))

/** Shapes that read a document once, however many runs send it. */
function remembering(given: Shapes): Shapes {
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

const worlds = new Map<string, Mock>()

/** A mock as it was born; worlds that are born alike are made once. */
export function mockOf(birth: BirthOptions = {}): Mock {
  const key = JSON.stringify(birth)
  const world = worlds.get(key) ?? bornAs(birth)
  worlds.set(key, world)
  return world.fork()
}

/** The mock without its front door, which is not what is put to the test here and takes half of the time. */
export const targetOf = (mock: Mock): Target => ({
  name: 'the mock in this process',
  redact: (text) => text,
  async send({ query, variables, operationName }): Promise<Answer> {
    const result = await mock.execute({ query, variables, operationName })
    return { status: 200, body: JSON.parse(JSON.stringify(result)) as Answer['body'], retries: 0, ms: 0 }
  },
  close: async () => {},
})

/** A ledger that is lost with the process. */
export function ledgerInMemory(run = 'cm-abcdef'): Ledger {
  const entries: Entry[] = []
  return {
    path: 'nowhere',
    head: { run, baseUrl: 'the mock in this process', by: 'check' },
    entries: () => [...entries],
    intend(intents) {
      const made = intents.map((it, at): Entry => ({ ...it, n: entries.length + at, state: 'intended' }))
      entries.push(...made)
      return made
    },
    settle(n, state, id) {
      const entry = entries[n] as Entry
      entries[n] = { ...entry, state, id: id ?? entry.id }
    },
    close: () => {},
  }
}

const rows = createRows({ seed: 5, counts: { pixels: 20, integrations: 20 } })
const ours = readInputTypes(ownPackage().schema)
const documentedInputs: InputTypes = new Map(
  [...ours].filter(([name, type]) =>
    Object.keys(type.getFields()).every((field) => shapes.marks.get(`${name}.${field}`)?.basis === 'documented'),
  ),
)

export interface WritingRun extends WriteRunOptions {
  readonly target: Target
  readonly mock: Mock
  readonly ledger?: Ledger
  readonly allowed?: readonly string[]
  readonly signal?: AbortSignal
  readonly checks?: RunOptions['checks']
  readonly budget?: number
}

export function runWriting(options: WritingRun): Promise<Report> {
  const { target, mock, ledger = ledgerInMemory(), allowed = writable, settleMs = 0, includeAssumed, inputs } = options
  const { signal, recoverPages, budget, checks = writeChecks } = options
  return runChecks({
    checks,
    target,
    shapes,
    expected: defaultProfile,
    includeAssumed,
    recoverPages,
    budget,
    minJudged: 0,
    signal,
    write: {
      allowed,
      kinds: writeKinds,
      ledger,
      inputs: inputSource({
        given: inputs === undefined ? undefined : readInputTypes(inputs),
        ours: includeAssumed ? ours : documentedInputs,
      }),
      row: rows,
      productUids: productUidsOf(mock),
      settleMs,
    },
  })
}

/** A run against the mock as a saboteur or a variant changes it, and what of its world is not as before. */
export async function runDisguised({ world, wrap = (it) => it, replica, run }: Disguise): Promise<Disguised> {
  const mock = mockOf(world)
  const ledger = ledgerInMemory()
  const target = targetOf(mock)
  const born = replica ? replica(target, targetOf(mock.fork())) : target
  const { recorder, mutations } = recording(wrap(born, shapes))
  const report = await runWriting({ target: recorder, mock, ledger, ...run })
  return {
    report,
    strangers: strangersIn(mutations, ledger),
    left: async () => difference(await held(mockOf(world)), await held(mock)),
  }
}

interface Disguised {
  readonly report: Report
  /** What is not as it was before. */
  readonly left: () => Promise<readonly string[]>
  /** Ids that were changed or deleted and are not in the ledger. */
  readonly strangers: readonly string[]
}

/** A target that keeps the mutations that it is sent. */
export function recording(target: Target): { recorder: Target; mutations: GraphqlRequest[] } {
  const mutations: GraphqlRequest[] = []
  const recorder: Target = {
    ...target,
    send(request, options) {
      if (mutationsIn(request.query).length > 0) mutations.push(request)
      return target.send(request, options)
    },
  }
  return { recorder, mutations }
}

/** Ids that mutations touch and that a ledger does not hold. */
export function strangersIn(mutations: readonly GraphqlRequest[], ledger: Ledger): readonly string[] {
  const known = new Set(ledger.entries().flatMap((it) => (it.state === 'unproven' ? [] : [it.id])))
  const touched = mutations.flatMap(({ variables = {} }) => [variables['id'] ?? [], variables['items'] ?? []].flat())
  return touched.map(String).filter((id) => !known.has(id))
}

interface Disguise extends OfWriting {
  readonly world?: Saboteur['world']
  readonly wrap?: Saboteur['wrap'] | undefined
}

const difference = (before: readonly string[], after: readonly string[]): readonly string[] => [
  ...before.filter((it) => !after.includes(it)).map((it) => `lost: ${it}`),
  ...after.filter((it) => !before.includes(it)).map((it) => `left: ${it}`),
]

/** What the account holds, without what a run may leave: its customers, what they count for, and when the account last changed. */
export async function held(mock: Mock): Promise<readonly string[]> {
  const lines = await dump(async (query) => (await mock.execute({ query })).data as Record<string, unknown>)
  return lines
    .split('\n')
    .filter((line) => !/"full_name":"[^"]* cm-[a-z0-9]{6}-\d+"/i.test(line))
    .map((line) =>
      line.startsWith('{"__typename":"Account"') ? line.replace(/"updated_at(_exact)?":"[^"]*",?/g, '') : line,
    )
    .map((line) => line.replace(/"statistics":\d+/g, ''))
}
