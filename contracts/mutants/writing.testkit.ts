/** Runs the checks that write against a mock in this process. */
import type { Mock } from '../../src/mock/create-mock.js'
import { createWritingBench, type Disguise } from './write-run.js'
import type { Ledger } from '../../src/writing/ledger.js'
import { ledgerInMemory } from '../../src/writing/memory-ledger.testkit.js'
import type { Report } from '../../src/contract/report.js'
import type { GraphqlRequest, Target } from '../../src/client/target.js'
import { writeChecks } from '../write-checks.js'
import { mutationsIn } from './mutation-rules.js'

export const { shapes, mockOf, disguised, run: runWriting } = createWritingBench()

/** A run of some checks against a mutant or a variant, and what it changed in the world. */
export async function runDisguised(disguise: Disguise, checks = writeChecks): Promise<Disguised> {
  const { mock, target } = disguised(disguise)
  const ledger = ledgerInMemory()
  const { recorder, mutations } = recording(target)
  const allowed = checks.flatMap(({ writes = [] }) => writes)
  const report = await runWriting({ target: recorder, mock, ledger, allowed, checks, ...disguise.run })
  return {
    report,
    strangers: strangersIn(mutations, ledger),
    left: () => difference(held(mockOf(disguise.world)), held(mock)),
  }
}

interface Disguised {
  readonly report: Report
  /** What is not as before. */
  readonly left: () => readonly string[]
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

const without = (some: readonly string[], others: readonly string[]) => {
  const known = new Set(others)
  return some.filter((it) => !known.has(it))
}

const difference = (before: readonly string[], after: readonly string[]): readonly string[] => [
  ...without(before, after).map((it) => `lost: ${it}`),
  ...without(after, before).map((it) => `left: ${it}`),
]

/** All records, without what a run may leave: customers, and the time of the last change of the account. */
export function held({ world }: Mock): readonly string[] {
  return world.population.tables.flatMap(({ definition }) => {
    const fields = ['__typename', 'id', ...Object.keys({ ...definition.stored, ...definition.computed })]
    const lines = Array.from(world.all(definition), (record) => {
      const values = fields.map((name) => [name, (record as unknown as Record<string, unknown>)[name]])
      return JSON.stringify(Object.fromEntries(values), (name, value: unknown) =>
        name === 'updated_at' && definition.name === 'Account' ? undefined : value,
      )
    })
    return lines.filter((line) => !/"full_name":"[^"]*\bcm-[a-z0-9]{6}-\d+\b/i.test(line))
  })
}
