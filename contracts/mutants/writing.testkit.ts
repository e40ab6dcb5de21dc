/** Runs the checks that write against a mock in this process. */
import { dump } from '../../src/mock/dump.testkit.js'
import type { Mock } from '../../src/mock/create-mock.js'
import { createWritingBench, type Disguise } from './write-run.js'
import type { Ledger } from '../../src/writing/ledger.js'
import { ledgerInMemory } from '../../src/writing/memory-ledger.testkit.js'
import type { Report } from '../../src/contract/report.js'
import type { GraphqlRequest, Target } from '../../src/client/target.js'
import { writable } from '../resources.js'
import { mutationsIn } from './mutation-rules.js'

export const { shapes, mockOf, disguised, run: runWriting } = createWritingBench()

/** A run that writes resources to a mutant or a variant, and what it changed in the world. */
export async function runDisguised(disguise: Disguise, allowed: readonly string[] = writable): Promise<Disguised> {
  const { mock, target } = disguised(disguise)
  const ledger = ledgerInMemory()
  const { recorder, mutations } = recording(target)
  const report = await runWriting({ target: recorder, mock, ledger, allowed, ...disguise.run })
  return {
    report,
    strangers: strangersIn(mutations, ledger),
    left: async () => difference(await held(mockOf(disguise.world)), await held(mock)),
  }
}

interface Disguised {
  readonly report: Report
  /** What is not as before. */
  readonly left: () => Promise<readonly string[]>
  /** Ids that were changed or deleted but are not in the ledger. */
  readonly strangers: readonly string[]
}

/** A target that records its mutations. */
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

/** Ids that mutations touched but the ledger does not list. */
export function strangersIn(mutations: readonly GraphqlRequest[], ledger: Ledger): readonly string[] {
  const known = new Set(ledger.entries().flatMap((it) => (it.state === 'unproven' ? [] : [it.id])))
  const touched = mutations.flatMap(({ variables = {} }) => [variables['id'] ?? [], variables['items'] ?? []].flat())
  return touched.map(String).filter((id) => !known.has(id))
}

const difference = (before: readonly string[], after: readonly string[]): readonly string[] => [
  ...before.filter((it) => !after.includes(it)).map((it) => `lost: ${it}`),
  ...after.filter((it) => !before.includes(it)).map((it) => `left: ${it}`),
]

/** What the account holds, without what a run may leave: customers, statistics, and the time of the last change. */
export async function held(mock: Mock): Promise<readonly string[]> {
  const lines = await dump(async (query) => (await mock.execute({ query })).data as Record<string, unknown>)
  return lines
    .split('\n')
    .filter((line) => !/"full_name":"[^"]*\bcm-[a-z0-9]{6}-\d+\b/i.test(line))
    .map((line) =>
      line.startsWith('{"__typename":"Account"') ? line.replace(/"updated_at(_exact)?":"[^"]*",?/g, '') : line,
    )
    .map((line) => line.replace(/"statistics":\d+/g, ''))
}
