/** Which values of a row the input types of the target take, and which they leave to the server. */
import type { Data } from '../contract/check.js'
import type { GraphQLInputObjectType } from 'graphql'
import { fillInput } from '../writing/inputs.js'
import type { Mutation, Resource, Secrets } from '../writing/resource.js'
import type { Plan } from './plan.js'

/** A mutation of an existing object whose input type is known. */
export interface LaterMutation {
  readonly mutation: Mutation
  readonly type: GraphQLInputObjectType
}

/** How the rows of a resource become inputs. */
export interface ResourceInputs {
  readonly create: GraphQLInputObjectType
  readonly later: readonly LaterMutation[]
  /** The values of a row, by input field. */
  readonly valuesOf: (row: Data) => Data
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
export const rowsTried = 1000

/** Throws an Error in one line if an input type is unknown, or requires a value that a row does not have. */
export async function readPlanInputs({ plan, typeOf, advice, secrets }: InputOptions): Promise<PlanInputs> {
  const read = new Map<Resource, ResourceInputs>()
  for (const { resource, count, row } of plan.parts) {
    const { create, update, attach, values } = resource
    const type = await typeOf(create.input)
    if (!type) throw new Error(`The fields of ${create.input} are not known: ${advice}`)
    const valuesOf = (it: Data) => values?.(it, secrets) ?? it
    const later: LaterMutation[] = []
    for (const mutation of [update, attach]) {
      const type = mutation && (await typeOf(mutation.input))
      if (type) later.push({ mutation, type })
    }
    read.set(resource, { create: type, later, valuesOf })
    for (let index = 0; index < Math.min(count, rowsTried); index += 1) {
      const { missing } = fillInput(type, valuesOf(row(index)))
      if (missing.length === 0) continue
      throw new Error(
        `${create.input} requires ${missing.join(', ')}, and ${resource.one} ${index + 1} of the plan has no value that fits. Add it to a world file, or give the input type with --inputs.`,
      )
    }
  }
  return (resource) => read.get(resource) as ResourceInputs
}

export interface Change extends LaterMutation {
  readonly input: Data
}

/** The mutations that write what the creation does not take. */
export function laterChanges({ create, later }: ResourceInputs, values: Data): readonly Change[] {
  const taken = new Set(Object.keys(create.getFields()))
  const changes: Change[] = []
  for (const { mutation, type } of later) {
    const rest = Object.entries(values).filter(([name, it]) => !taken.has(name) && it !== null)
    const { input, missing } = fillInput(type, Object.fromEntries(rest))
    if (missing.length > 0 || Object.keys(input).length === 0) continue
    changes.push({ mutation, type, input })
    for (const name of Object.keys(input)) taken.add(name)
  }
  return changes
}

/** The values that a run sends for a row, without secrets. */
export function sentFor({ values }: Resource, inputs: ResourceInputs, row: Data): Data {
  const given = values?.(row, {}) ?? row
  const created = fillInput(inputs.create, given).input
  return Object.assign({}, ...laterChanges(inputs, given).map(({ input }) => input), created) as Data
}

/** The fields of a row that no input takes. */
export function fieldsLeft({ create, later, valuesOf }: ResourceInputs, row: Data): readonly string[] {
  const types = [create, ...later.map(({ type }) => type)]
  return Object.keys(valuesOf(row)).filter((name) => !types.some((it) => Object.hasOwn(it.getFields(), name)))
}

/** What a plan asks for and no operation writes, in sentences. */
export function notWritten({ parts, remarks, unsupported }: Plan, inputs: PlanInputs): readonly string[] {
  const fields = parts.flatMap(({ resource, count, given, isListed, row }) => {
    const listed = Array.from({ length: count }, (_, index) => index).filter(isListed)
    const names = listed.slice(0, rowsTried).flatMap((it) => fieldsLeft(inputs(resource), row(it)))
    // The server chooses ids, so rows do not have them.
    const left = [...new Set(['id', ...names])].filter((it) => given.includes(it))
    return left.length === 0
      ? []
      : [`The plan sets ${left.join(', ')} of ${resource.name}, which no input of the server takes.`]
  })
  return [
    ...remarks,
    ...fields,
    ...[...unsupported].map(([what, count]) => `No operation creates ${what}: ${count} not created.`),
  ]
}
