/** The target's input types, from its introspection or a file, and inputs that fit them. */
import {
  assertInputObjectType,
  buildASTSchema,
  buildClientSchema,
  getIntrospectionQuery,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql'
import type { GraphqlBody, GraphqlRequest } from '../client/target.js'
import { isObject } from '../shared/is-object.js'

/** The input types that are known, by name. */
export type InputTypes = ReadonlyMap<string, GraphQLInputObjectType>

export const inputTypesIn = (schema: GraphQLSchema): InputTypes =>
  new Map(
    Object.values(schema.getTypeMap())
      .filter(isInputObjectType)
      .map((it) => [it.name, it]),
  )

/** Reads input types from SDL. Throws a GraphQLError if the SDL is invalid. */
export function readInputTypes(sdl: string): InputTypes {
  // The SDL may hold input types only, but must not name a type that it lacks.
  const { definitions } = parse(sdl)
  return inputTypesIn(buildASTSchema({ kind: 'Document' as never, definitions }, { assumeValidSDL: false }))
}

export type Send = (request: GraphqlRequest) => Promise<{ readonly body: GraphqlBody }>

/** The schema of a server, or undefined if its introspection does not show it. */
export async function introspect(send: Send): Promise<GraphQLSchema | undefined> {
  const query = getIntrospectionQuery({ descriptions: false })
  const { data } = (await send({ query, operationName: 'IntrospectionQuery' })).body
  try {
    return buildClientSchema(data as unknown as IntrospectionQuery)
  } catch {
    return undefined
  }
}

/** Where a run gets the input types of its target from. */
export interface InputSource {
  /** The target is asked once. */
  readonly typeOf: (send: Send, name: string) => Promise<GraphQLInputObjectType | undefined>
  /** What a user can do if a type is not known. */
  readonly advice: string
}

export interface InputSourceOptions {
  /** Types that the user wrote down. */
  readonly given?: InputTypes | undefined
  /** Types of our own schema that may be sent. */
  readonly ours: InputTypes
}

/** Asks the target first, then what the user gave, then our schema. */
export function inputSource({ given, ours }: InputSourceOptions): InputSource {
  let asked: Promise<GraphQLSchema | undefined> | undefined
  return {
    advice:
      'the introspection of the server lacks them. Pass them as SDL with --inputs, or send assumed fields with --include-assumed.',
    async typeOf(send, name) {
      asked ??= introspect(send)
      // A target that did not answer is asked again.
      asked.catch(() => (asked = undefined))
      const type = (await asked)?.getType(name)
      return isInputObjectType(type) ? type : (given?.get(name) ?? ours.get(name))
    },
  }
}

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>
  /** Paths of required fields without a value, such as `settings.mode`. */
  readonly missing: readonly string[]
}

/** Fills an input type with the values of a row whose names and types fit. */
export function fillInput(type: GraphQLInputObjectType, row: Readonly<Record<string, unknown>>): Filled {
  const input: Record<string, unknown> = {}
  const missing: string[] = []
  for (const field of Object.values(assertInputObjectType(type).getFields())) {
    const value = Object.hasOwn(row, field.name) ? fitting(field.type, row[field.name]) : undefined
    if (value !== undefined) {
      input[field.name] = value
      continue
    }
    if (!isRequiredInputField(field)) continue
    // Not inside a list, because a list of the same type would never end.
    const nested = isNonNullType(field.type) ? field.type.ofType : field.type
    const inside = isInputObjectType(nested) ? fillInput(nested, {}).missing : []
    missing.push(...(inside.length > 0 ? inside.map((it) => `${field.name}.${it}`) : [field.name]))
  }
  return { input, missing }
}

/** What a type requires besides these values, including values that lack something inside. */
export function lackingIn(type: GraphQLInputObjectType, values: Readonly<Record<string, unknown>>): readonly string[] {
  const { input, missing } = fillInput(type, values)
  const unfit = Object.keys(type.getFields()).filter((it) => Object.hasOwn(values, it) && !Object.hasOwn(input, it))
  return [...missing, ...unfit.filter((it) => !missing.includes(it)).map((it) => `more in ${it}`)]
}

/** The value as an input type takes it, or undefined if it does not fit. */
function fitting(type: GraphQLInputType, value: unknown): unknown {
  // A field without a value is left out, as a client would do.
  if (value === null) return undefined
  if (isNonNullType(type)) return fitting(type.ofType, value)
  if (isListType(type)) {
    const items = (Array.isArray(value) ? value : [value]).map((it) => fitting(type.ofType, it))
    return items.includes(undefined) ? undefined : items
  }
  if (isInputObjectType(type)) {
    if (!isObject(value)) return undefined
    const { input, missing } = fillInput(type, value)
    return missing.length === 0 ? input : undefined
  }
  if (isEnumType(type)) return type.getValue(String(value)) ? value : undefined
  // The values of a custom scalar are unknown, so a value of the right name is the best guess.
  if (isScalarType(type) && !isSpecifiedScalarType(type)) return value
  try {
    return type.parseValue(value)
  } catch {
    return undefined
  }
}
