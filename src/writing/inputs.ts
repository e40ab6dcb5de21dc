/** The target's input types, from its introspection or a file, and inputs that fit them. */
import {
  assertInputObjectType,
  buildASTSchema,
  buildClientSchema,
  getIntrospectionQuery,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  isScalarType,
  isSpecifiedScalarType,
  parse,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLSchema,
  type IntrospectionQuery,
} from 'graphql'
import type { GraphqlBody, GraphqlRequest } from '../client/target.js'
import type { Data } from '../contract/check.js'
import { isObject } from '../shared/json.js'

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

/** The values that a user gave for the fields of an input type, or of the input of a mutation, by its name. */
export type GivenValues = (name: string) => Data

const nothingGiven: GivenValues = () => ({})

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
  /** Values that the user gave. */
  readonly values: GivenValues
}

export interface InputSourceOptions {
  /** Types that the user wrote down. */
  readonly given?: InputTypes | undefined
  readonly values?: GivenValues | undefined
  /** Types of our own schema that may be sent. */
  readonly ours: InputTypes
}

/** Asks the target first, then what the user gave, then our schema. */
export function inputSource({ given, ours, values = nothingGiven }: InputSourceOptions): InputSource {
  let asked: Promise<GraphQLSchema | undefined> | undefined
  return {
    values,
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
  readonly input: Data
  /** Paths of required fields without a value, such as `settings.mode`. */
  readonly missing: readonly string[]
}

export interface FillOptions {
  /** Values inside the input. They replace those of the row. */
  readonly given?: GivenValues | undefined
  /** Values for required fields that the row lacks. */
  readonly rest?: Data | undefined
}

export interface NodeOptions {
  /** The mutation. */
  readonly field: string
  /** The run tag, without which an object cannot be found again. */
  readonly keep?: string
}

/** Fills an input type with the values of a row whose names and types fit. */
export function fillInput(type: GraphQLInputObjectType, row: Data, { given, rest = {} }: FillOptions = {}): Filled {
  const input: Record<string, unknown> = {}
  const missing: string[] = []
  for (const field of Object.values(assertInputObjectType(type).getFields())) {
    const valueIn = (from: Data) =>
      Object.hasOwn(from, field.name) ? fitting(field.type, from[field.name], given) : undefined
    const isRequired = isRequiredInputField(field)
    const value = valueIn(row) ?? (isRequired ? (valueIn(rest) ?? guessed(field.type, given)) : undefined)
    if (value !== undefined) input[field.name] = value
    else if (isRequired) missing.push(...missingIn(field, given))
  }
  return { input, missing }
}

/** A value for a required field: any of an enum, or an object of such values. */
function guessed(type: GraphQLInputType, given?: GivenValues): unknown {
  const nullable = getNullableType(type)
  if (isEnumType(nullable)) return nullable.getValues()[0]?.name
  const value = isInputObjectType(nullable) ? fitting(nullable, {}, given) : undefined
  return Object.keys(value ?? {}).length > 0 ? value : undefined
}

/** The paths of what a required field lacks. Not inside a list, because a list of the same type would never end. */
function missingIn({ name, type }: GraphQLInputField, given?: GivenValues): readonly string[] {
  const nullable = getNullableType(type)
  const inside = isInputObjectType(nullable) ? fillInput(nullable, given?.(nullable.name) ?? {}, { given }).missing : []
  return inside.length > 0 ? inside.map((it) => `${name}.${it}`) : [name]
}

/** Whether a value fits the type of an input field. */
export const fits = (type: GraphQLInputType, value: unknown): boolean => fitting(type, value) !== undefined

/** Fills the input of a mutation. What the user gave replaces what the row has, except for a value that holds `keep`. */
export function fillNode(type: GraphQLInputObjectType, row: Data, options: FillOptions & NodeOptions): Filled {
  const { field, given = nothingGiven, keep, rest } = options
  const own = Object.entries({ ...given(type.name), ...given(field) }).filter(
    ([name]) => keep === undefined || !String(row[name]).includes(keep),
  )
  const values = Object.fromEntries(own)
  return fillInput(type, rest ? row : { ...row, ...values }, { given, rest: { ...rest, ...values } })
}

/** What a type requires besides these values, including values that lack something inside. */
export function lackingIn(type: GraphQLInputObjectType, values: Data, given?: GivenValues): readonly string[] {
  const { input, missing } = fillInput(type, values, { given })
  const unfit = Object.keys(type.getFields()).filter((it) => Object.hasOwn(values, it) && !Object.hasOwn(input, it))
  return [...missing, ...unfit.filter((it) => !missing.includes(it)).map((it) => `more in ${it}`)]
}

/** The value as an input type takes it, or undefined if it does not fit. */
function fitting(type: GraphQLInputType, value: unknown, given?: GivenValues): unknown {
  // A field without a value is left out, as a client would do.
  if (value === null) return undefined
  if (isNonNullType(type)) return fitting(type.ofType, value, given)
  if (isListType(type)) {
    const items = (Array.isArray(value) ? value : [value]).map((it) => fitting(type.ofType, it, given))
    return items.includes(undefined) ? undefined : items
  }
  if (isInputObjectType(type)) {
    if (!isObject(value)) return undefined
    const { input, missing } = fillInput(type, { ...value, ...given?.(type.name) }, { given })
    return missing.length === 0 ? input : undefined
  }
  if (isEnumType(type)) return enumValue(type, String(value))
  // The values of a custom scalar are unknown, so a value of the right name is the best guess.
  if (isScalarType(type) && !isSpecifiedScalarType(type)) return value
  try {
    return type.parseValue(value)
  } catch {
    return undefined
  }
}

/** The value of an enum with this name, in any case. */
const enumValue = (type: GraphQLEnumType, name: string): string | undefined =>
  (type.getValue(name) ?? type.getValues().find((it) => it.name.toLowerCase() === name.toLowerCase()))?.name
