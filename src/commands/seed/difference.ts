/** What differs between a plan and the ledger of an earlier run, in lines for people. */
import type { ChangedObject } from '../../seeding/changes.js'
import { numbersOf, type Plan } from '../../seeding/plan.js'
import type { LeftField } from '../../seeding/update.js'
import { resources } from '../../../contracts/resources.js'
import { countOf, sanitize } from '../../shared/text.js'
import { folded } from './fold.js'
import { isCreated, type Entry } from '../../writing/ledger.js'

export const oneOf = (kind: string): string => resources.find(({ name }) => name === kind)?.one ?? kind

export const named = (kind: string, key: string): string => `${oneOf(kind)} “${sanitize(key, 80)}”`

const shown = (value: unknown) => (value === undefined ? 'nothing' : sanitize(JSON.stringify(value), 80))

/** `customer “ada@example.com”: phone from "1" to "2"` */
export const changeText = ({ resource, key, fields }: ChangedObject): string =>
  `${named(resource.name, key)}: ${fields.map(({ name, before, now }) => `${name} from ${shown(before)} to ${shown(now)}`).join(', ')}`

export const leftText = ({ kind, key, field, reason }: LeftField, leaves = 'Left'): string =>
  `${leaves} ${field} of ${named(kind, key)}: ${sanitize(reason, 300)}.`

/** Entries whose row the plan no longer has, and whose objects may exist. */
export const withoutRow = ({ total }: Plan, entries: readonly Entry[]): readonly string[] =>
  entries
    .filter((it) => it.n > total && (isCreated(it) || it.state === 'intended'))
    .map(({ kind, key }) => `The ${named(kind, key)} is no longer in the plan, and stays.`)

export interface Difference {
  readonly plan: Plan
  /** Under the numbers of the plan. */
  readonly entries: readonly Entry[]
  readonly changed: readonly ChangedObject[]
  /** What of it an update would leave. */
  readonly left: readonly LeftField[]
}

export function differenceLines({ plan, entries, changed, left }: Difference): readonly string[] {
  const created = new Set(entries.filter(isCreated).map(({ n }) => n))
  const missing = plan.parts.flatMap((part) => {
    const count = numbersOf(part).filter((n) => !created.has(n)).length
    return count === 0 ? [] : [`${countOf(count, part.resource.one, part.resource.name)} to create`]
  })
  return [
    ...missing,
    ...folded(changed.filter(({ isOurs }) => isOurs).map(changeText)),
    ...folded(left.map((it) => leftText(it, 'Leaves'))),
    ...folded(withoutRow(plan, entries)),
  ]
}
