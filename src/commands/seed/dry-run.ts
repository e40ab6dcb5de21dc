/** What `--dry-run` prints: what a plan would send, as the same bytes on every machine. */
import type { GraphQLInputObjectType } from 'graphql'
import { fieldsLeft, laterChanges, rowsTried, type PlanInputs } from '../../seeding/inputs.js'
import type { Part, Plan } from '../../seeding/plan.js'
import { countOf, sanitize } from '../../shared/text.js'
import { fillInput } from '../../writing/inputs.js'

export interface DryRun {
  readonly plan: Plan
  readonly inputs: PlanInputs
  /** Where an input type comes from. */
  readonly sourceOf: (type: GraphQLInputObjectType) => string
  /** Left out if no server was named. */
  readonly target?: string | undefined
  /** What differs from an earlier run, with the path of its ledger. */
  readonly difference?: { readonly path: string; readonly lines: readonly string[] } | undefined
}

const rowsShown = 2
const maxCharacters = 400

export function dryRunText(dryRun: DryRun): string {
  const { plan, target = 'any server', difference } = dryRun
  const { path, lines: differing = [] } = difference ?? {}
  const blocks = [fieldsSetByServer(dryRun), unsupportedRows(plan), plan.remarks].filter((it) => it.length > 0)
  const lines = [
    `Plan “${sanitize(plan.name, 80)}” (${plan.hash}) for ${target}: ${plan.total} to create. Nothing is sent.`,
    ...(differing.length > 0 ? ['', `What differs from ${path}:`, ...differing.map((it) => `  ${it}`)] : []),
    ...plan.parts.flatMap((part) => partLines(part, dryRun)),
    ...blocks.flatMap((it) => ['', ...it]),
  ]
  return `${lines.join('\n')}\n`
}

function partLines({ resource, count, row }: Part, { inputs, sourceOf }: DryRun): readonly string[] {
  const types = inputs(resource)
  const valuesAt = (index: number) => types.valuesOf(row(index))
  const changesAt = (index: number) => laterChanges(types, valuesAt(index))
  const used = new Set([types.create])
  for (let index = 0; index < Math.min(rowsTried, count); index += 1)
    for (const { type } of changesAt(index)) used.add(type)
  const sources = Array.from(used, (it) => `${it.name} (from ${sourceOf(it)})`).join(' and ')
  const lines = ['', `${countOf(count, resource.one, resource.name)}, as ${sources}`]
  for (let index = 0; index < Math.min(rowsShown, count); index += 1) {
    lines.push(`  ${shown(fillInput(types.create, valuesAt(index)).input)}`)
    for (const { input } of changesAt(index)) lines.push(`    then ${shown(input)}`)
  }
  if (count > rowsShown) lines.push(`  and ${count - rowsShown} more`)
  return lines
}

const shown = (input: object) => sanitize(JSON.stringify(input), maxCharacters)

const unsupportedRows = ({ unsupported }: Plan): readonly string[] =>
  unsupported.size === 0
    ? []
    : ['Not created, because no operation creates it:', ...[...unsupported].map(([what, n]) => `  ${what}: ${n}`)]

function fieldsSetByServer({ plan, inputs }: DryRun): readonly string[] {
  const lines = plan.parts.flatMap(({ resource, row }) => {
    const names = fieldsLeft(inputs(resource), row(0))
    return names.length === 0 ? [] : [`  ${resource.name}: ${[...names].sort().join(', ')}`]
  })
  return lines.length === 0 ? [] : ['Set by the server, because no input takes it:', ...lines]
}
