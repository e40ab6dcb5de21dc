/** Which values of a row the input types of the target take, and which they leave to the server. */
import type { Data } from '../contract/check.js'
import type { GraphQLInputObjectType } from 'graphql'
import { fillInput } from '../writing/inputs.js'
import type { Resource, Secrets } from '../writing/resource.js'
import type { Plan } from './plan.js'

/** The input types of a resource. */
export interface ResourceInputs {
  readonly create: GraphQLInputObjectType
  readonly update: GraphQLInputObjectType | undefined
}

export type PlanInputs = (resource: Resource) => ResourceInputs

export interface InputOptions {
  readonly plan: Plan
  readonly typeOf: (name: string) => Promise<GraphQLInputObjectType | undefined>
  /** What a user can do if a type is unknown. */
  readonly advice: string
  readonly secrets: Secrets
}

/** How many rows of a resource are tried before the first write. */
const rowsTried = 1000

/** Throws an Error in one line if an input type is unknown, or requires a value that a row does not have. */
export async function readPlanInputs({ plan, typeOf, advice, secrets }: InputOptions): Promise<PlanInputs> {
  const read = new Map<Resource, ResourceInputs>()
  for (const { resource, count, row } of plan.parts) {
    const { create, update } = resource
    const type = await typeOf(create.input)
    if (!type) throw new Error(`The fields of ${create.input} are not known: ${advice}`)
    const more = update?.input === create.input ? undefined : update
    read.set(resource, { create: type, update: more && (await typeOf(more.input)) })
    for (let index = 0; index < Math.min(count, rowsTried); index += 1) {
      const { missing } = fillInput(type, valuesOf(resource, row(index), secrets))
      if (missing.length === 0) continue
      throw new Error(
        `${create.input} requires ${missing.join(', ')}, and ${resource.one} ${index + 1} of the plan has no value that fits. Add it to a world file, or give the input type with --inputs.`,
      )
    }
  }
  return (resource) => read.get(resource) as ResourceInputs
}

export const valuesOf = ({ values }: Resource, row: Data, secrets: Secrets): Data => values?.(row, secrets) ?? row

/** The input of the update: what the creation does not take. Undefined if there is nothing to update. */
export function updateInput({ create, update }: ResourceInputs, values: Data): Data | undefined {
  if (!update) return undefined
  const taken = create.getFields()
  const rest = Object.entries(values).filter(([name, it]) => !Object.hasOwn(taken, name) && it !== null)
  const { input, missing } = fillInput(update, Object.fromEntries(rest))
  return missing.length > 0 || Object.keys(input).length === 0 ? undefined : input
}

/** The fields of a row that no input takes. */
export function fieldsLeft({ create, update }: ResourceInputs, values: Data): readonly string[] {
  const taken = { ...create.getFields(), ...update?.getFields() }
  return Object.keys(values).filter((name) => !Object.hasOwn(taken, name))
}

/** What a world file asks for and no operation writes, in sentences. */
export function notWritten(
  { parts, remarks, unsupported }: Plan,
  inputs: PlanInputs,
  secrets: Secrets,
): readonly string[] {
  const fields = parts.flatMap(({ resource, given = [], row }) => {
    const left = fieldsLeft(inputs(resource), valuesOf(resource, row(0), secrets)).filter((it) => given.includes(it))
    return left.length === 0
      ? []
      : [`The world file sets ${left.join(', ')} of ${resource.name}, which no input of the server takes.`]
  })
  return [
    ...remarks,
    ...fields,
    ...[...unsupported].map(([what, count]) => `No operation creates ${what}: ${count} not created.`),
  ]
}
