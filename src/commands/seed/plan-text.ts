/** What a plan would send, as text: the same bytes whenever and wherever it is printed. */
import { fillInput } from '../../writing/inputs.js'
import { sanitize } from '../../shared/sanitize.js'
import { leftToServer, restOf, valuesOf, type PlanInputs } from '../../seeding/inputs.js'
import type { Secrets } from '../../seeding/seed-kind.js'
import type { PlacedPart, Plan } from '../../seeding/plan.js'

export interface PlannedInputs {
  readonly inputs: PlanInputs
  readonly secrets: Secrets
  /** Where an input type is known from. */
  readonly sourceOf: (type: { readonly name: string }) => string
}

export interface PlanTextOptions {
  readonly plan: Plan
  readonly inputs: PlannedInputs
  /** Left out where the plan is not made for a server. */
  readonly target?: string
}

const rowsShown = 2
const maxOfRow = 400

export function planText({ plan, inputs: planned, target }: PlanTextOptions): string {
  const blocks = [setByServer(plan, planned), notMade(plan)].filter((it) => it.length > 0)
  const lines = [
    `The plan “${sanitize(plan.name, 80)}” for ${target ?? 'any server'}, ${plan.hash}: ${plan.total} to be made. Nothing is sent.`,
    ...plan.parts.flatMap((part) => partLines(part, planned)),
    ...blocks.flatMap((it) => ['', ...it]),
  ]
  return `${lines.join('\n')}\n`
}

function partLines({ kind, count, row }: PlacedPart, { inputs, secrets, sourceOf }: PlannedInputs): readonly string[] {
  const types = inputs.get(kind)
  if (!types) return []
  const used = [types.create, ...(types.complete ? [types.complete] : [])]
  const lines = [
    '',
    `${count} ${count === 1 ? kind.one : kind.name}, by ${used.map((it) => `${it.name} (from ${sourceOf(it)})`).join(' and ')}`,
  ]
  for (let index = 0; index < Math.min(rowsShown, count); index += 1) {
    const values = valuesOf(kind, row(index), secrets)
    lines.push(`  ${shown(fillInput(types.create, values).input)}`)
    const rest = restOf(types, values)
    if (rest) lines.push(`    then ${shown(rest)}`)
  }
  if (count > rowsShown) lines.push(`  and ${count - rowsShown} more`)
  return lines
}

const shown = (input: object) => sanitize(JSON.stringify(input), maxOfRow)

const notMade = ({ impossible }: Plan): readonly string[] =>
  impossible.size === 0
    ? []
    : ['Set by the server, because no operation makes it:', ...[...impossible].map(([what, n]) => `  ${what}: ${n}`)]

/** Where the rows of a kind differ in their fields, the first tells. */
function setByServer({ parts }: Plan, { inputs, secrets }: PlannedInputs): readonly string[] {
  const left = parts.flatMap(({ kind, row }) => {
    const types = inputs.get(kind)
    const names = types ? leftToServer(types, valuesOf(kind, row(0), secrets)) : []
    return names.length === 0 ? [] : [`  ${kind.name}: ${[...names].sort().join(', ')}`]
  })
  return left.length === 0 ? [] : ['Set by the server, because no input takes it:', ...left]
}
