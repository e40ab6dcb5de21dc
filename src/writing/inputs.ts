/** The target's input types, from its introspection or a file, and inputs that fit them. */
import {
  assertInputObjectType,
  buildASTSchema,
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
} from 'graphql'
import type { GraphqlBody, GraphqlRequest } from '../client/target.js'
import type { Context } from '../contract/check.js'
import { isObject } from '../shared/is-object.js'

/** The input types that are known, by name. */
export type InputTypes = ReadonlyMap<string, GraphQLInputObjectType>

/** Reads input types from SDL. Throws a GraphQLError if the SDL is invalid. */
export function readInputTypes(sdl: string): InputTypes {
  // The SDL may hold input types only, but must not name a type that it lacks.
  const { definitions } = parse(sdl)
  const schema = buildASTSchema({ kind: 'Document' as never, definitions }, { assumeValidSDL: false })
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType)
  return new Map(inputs.map((it) => [it.name, it]))
}

/** Sends introspection queries and caches their results. */
export interface Introspecting extends Pick<Context, 'shared'> {
  readonly send: (request: GraphqlRequest) => Promise<{ readonly body: GraphqlBody }>
}

/** Where a run gets the input types of its target from. */
export interface InputSource {
  /** Known types, among them the named one if it is known. */
  readonly types: (target: Introspecting, name: string) => Promise<InputTypes>
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
  return {
    advice:
      'the introspection of the server lacks them. Pass them as SDL with --inputs, or send assumed fields with --include-assumed.',
    async types(target, name) {
      const types = await target.shared(`input type ${name}`, async () => {
        const sdl = await introspectInputs((it) => target.send(it), [name])
        return sdl === undefined ? undefined : readable(sdl)
      })
      if (types?.has(name)) return types
      return given?.has(name) ? given : ours
    },
  }
}

/** Undefined if the introspection names a type that it does not contain. */
function readable(sdl: string): InputTypes | undefined {
  try {
    return readInputTypes(sdl)
  } catch {
    return undefined
  }
}

interface IntrospectedType {
  readonly kind: string
  readonly name?: string | null
  readonly ofType?: IntrospectedType | null
}

interface IntrospectedInput {
  readonly kind: string
  readonly name: string
  readonly inputFields?:
    readonly { readonly name: string; readonly type: IntrospectedType; readonly defaultValue?: string | null }[] | null
  readonly enumValues?: readonly { readonly name: string }[] | null
}

const depth = 'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }'
const described = `kind name inputFields { name type { ${depth} } defaultValue } enumValues { name }`

const byName = (name: string): GraphqlRequest => ({
  query: `query InputType($name: String!) { __type(name: $name) { ${described} } }`,
  variables: { name },
  operationName: 'InputType',
})

const all: GraphqlRequest = {
  query: `query InputTypes { __schema { types { ${described} } } }`,
  operationName: 'InputTypes',
}

/**
 * The SDL of the named input types and all types that they use, asked type by type, or all at once if the server only
 * answers that. Undefined if its introspection has none of them.
 */
export async function introspectInputs(
  send: (request: GraphqlRequest) => Promise<{ readonly body: GraphqlBody }>,
  names: readonly string[],
): Promise<string | undefined> {
  const known = new Map<string, IntrospectedInput>()
  const wanted = [...names]
  let whole: ReadonlyMap<string, IntrospectedInput> | undefined
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (known.has(name)) continue
    const one = whole
      ? undefined
      : ((await send(byName(name))).body.data?.['__type'] as IntrospectedInput | null | undefined)
    if (!one && !whole) {
      const { types } = ((await send(all)).body.data?.['__schema'] ?? { types: [] }) as {
        types: readonly IntrospectedInput[]
      }
      whole = new Map(types.map((it) => [it.name, it]))
    }
    const found = one ?? whole?.get(name)
    if (!found) continue
    known.set(name, found)
    for (const { type } of found.inputFields ?? []) {
      const used = namedIn(type)
      if (used && !builtIn.includes(used)) wanted.push(used)
    }
  }
  return known.size === 0 ? undefined : [...known.values()].map(declared).join('\n\n') + '\n'
}

const builtIn: readonly string[] = ['ID', 'String', 'Int', 'Float', 'Boolean']

const namedIn = (type: IntrospectedType): string | null | undefined => (type.ofType ? namedIn(type.ofType) : type.name)

function written({ kind, name, ofType }: IntrospectedType): string {
  if (kind === 'NON_NULL' && ofType) return `${written(ofType)}!`
  return kind === 'LIST' && ofType ? `[${written(ofType)}]` : String(name)
}

function declared({ kind, name, inputFields, enumValues }: IntrospectedInput): string {
  if (kind === 'ENUM') return `enum ${name} {\n${(enumValues ?? []).map((it) => `  ${it.name}`).join('\n')}\n}`
  if (kind !== 'INPUT_OBJECT') return `scalar ${name}`
  const fields = (inputFields ?? []).map(
    (it) => `  ${it.name}: ${written(it.type)}${it.defaultValue == null ? '' : ` = ${it.defaultValue}`}`,
  )
  return `input ${name} {\n${fields.join('\n')}\n}`
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
    if (value !== undefined && !(value === null && isNonNullType(field.type))) {
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
  if (isNonNullType(type)) return value === null ? undefined : fitting(type.ofType, value)
  if (value === null) return null
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
