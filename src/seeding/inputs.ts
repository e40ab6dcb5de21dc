/** What the target's inputs take of the rows of a plan, and what they leave to the server. */
import type { GraphQLInputObjectType } from 'graphql'
import { fillInput, type InputTypes } from '../writing/inputs.js'
import type { Row, SeedKind, Secrets } from './seed-kind.js'
import type { Plan } from './plan.js'

/** The input types of a kind. */
export interface KindInputs {
  readonly create: GraphQLInputObjectType
  readonly complete: GraphQLInputObjectType | undefined
}

export type PlanInputs = ReadonlyMap<SeedKind, KindInputs>

export interface InputOptions {
  readonly plan: Plan
  readonly types: (name: string) => Promise<InputTypes>
  /** What a user can do where a type is not known. */
  readonly advice: string
  readonly secrets: Secrets
}

/** So many rows of a kind are looked at before the first write. */
const rowsTried = 1000

/** Throws an Error in one line where something is required that nobody knows. */
export async function readPlanInputs({ plan, types, advice, secrets }: InputOptions): Promise<PlanInputs> {
  const read = new Map<SeedKind, KindInputs>()
  for (const { kind, count, row } of plan.parts) {
    const { create, complete } = kind
    const type = (await types(create.input)).get(create.input)
    if (!type) throw new Error(`What ${create.input} takes is not known: ${advice}`)
    read.set(kind, { create: type, complete: complete && (await types(complete.input)).get(complete.input) })
    for (let index = 0; index < Math.min(count, rowsTried); index += 1) {
      const { missing } = fillInput(type, valuesOf(kind, row(index), secrets))
      if (missing.length === 0) continue
      throw new Error(
        `${create.input} wants ${missing.join(', ')}, and ${kind.one} ${index + 1} of the plan has no value that fits. Write it into a world file, or give the input type with --inputs.`,
      )
    }
  }
  return read
}

export const valuesOf = ({ values }: SeedKind, row: Row, secrets: Secrets): Row => values?.(row, secrets) ?? row

/** The input of the completing mutation: what the creating one does not take. Undefined where nothing is left. */
export function restOf({ create, complete }: KindInputs, values: Row): Row | undefined {
  if (!complete) return undefined
  const taken = create.getFields()
  const left = Object.entries(values).filter(([name, it]) => !Object.hasOwn(taken, name) && it !== null)
  const { input, missing } = fillInput(complete, Object.fromEntries(left))
  return missing.length > 0 || Object.keys(input).length === 0 ? undefined : input
}

/** The fields of a row that no input takes. */
export function leftToServer({ create, complete }: KindInputs, values: Row): readonly string[] {
  const taken = [create, ...(complete ? [complete] : [])].map((it) => it.getFields())
  return Object.keys(values).filter((name) => !taken.some((fields) => Object.hasOwn(fields, name)))
}
