/** What the target's input types take – asked from its introspection or read from a file –, and values that fit into them. */
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
import type { Context } from '../contract/check.js'
import type { GraphqlBody, GraphqlRequest } from '../client/target.js'

/** Input types by name. What is not among them is not known. */
export type InputTypes = ReadonlyMap<string, GraphQLInputObjectType>

/** Reads input types from SDL. Throws a GraphQLError where it is none. */
export function readInputTypes(sdl: string): InputTypes {
  // A schema may hold types alone; what it may not is to name one that it does not have.
  const { definitions } = parse(sdl)
  const schema = buildASTSchema({ kind: 'Document' as never, definitions }, { assumeValidSDL: false })
  const inputs = Object.values(schema.getTypeMap()).filter(isInputObjectType)
  return new Map(inputs.map((it) => [it.name, it]))
}

/** How a server is asked, and what it said is kept. */
export interface Asking extends Pick<Context, 'shared'> {
  readonly send: (request: GraphqlRequest) => Promise<{ readonly body: GraphqlBody }>
}

/** Where a run learns what the input types of its target take. */
export interface InputSource {
  /** Types that are known, the named one among them if it is. */
  readonly types: (asking: Asking, name: string) => Promise<InputTypes>
  /** What a user can do where a type is not known. */
  readonly advice: string
}

export interface InputSourceOptions {
  /** Types that a user wrote down, for a target that tells nothing. */
  readonly given?: InputTypes | undefined
  /** Types of our own schema that are documented as a whole, and all of them where what is assumed may be sent. */
  readonly ours: InputTypes
}

/** The target's own word first, then what a user gives, then what our schema knows. */
export function inputSource({ given, ours }: InputSourceOptions): InputSource {
  return {
    advice:
      'the server does not tell. Write its input types into a file of SDL and give it with --inputs, or send what is assumed with --include-assumed.',
    async types(asking, name) {
      const types = await asking.shared(`input type ${name}`, async () => {
        const told = await askInputTypes((it) => asking.send(it), [name])
        return told === undefined ? undefined : readable(told)
      })
      if (types?.has(name)) return types
      return given?.has(name) ? given : ours
    },
  }
}

/** A server that tells a part may name what it does not tell. */
function readable(sdl: string): InputTypes | undefined {
  try {
    return readInputTypes(sdl)
  } catch {
    return undefined
  }
}

interface ToldType {
  readonly kind: string
  readonly name?: string | null
  readonly ofType?: ToldType | null
}

interface ToldInput {
  readonly kind: string
  readonly name: string
  readonly inputFields?:
    readonly { readonly name: string; readonly type: ToldType; readonly defaultValue?: string | null }[] | null
  readonly enumValues?: readonly { readonly name: string }[] | null
}

const depth = 'kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } }'
const described = `kind name inputFields { name type { ${depth} } defaultValue } enumValues { name }`

/** Asks for one type by its name. */
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
 * The SDL of the named input types and of all that they take, as the server tells it: type by type, or all at once
 * where only that is answered. Undefined where it tells nothing.
 */
export async function askInputTypes(
  send: (request: GraphqlRequest) => Promise<{ readonly body: GraphqlBody }>,
  names: readonly string[],
): Promise<string | undefined> {
  const told = new Map<string, ToldInput>()
  const wanted = [...names]
  let whole: ReadonlyMap<string, ToldInput> | undefined
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (told.has(name)) continue
    const one = whole ? undefined : ((await send(byName(name))).body.data?.['__type'] as ToldInput | null | undefined)
    if (!one && !whole) {
      const { types } = ((await send(all)).body.data?.['__schema'] ?? { types: [] }) as { types: readonly ToldInput[] }
      whole = new Map(types.map((it) => [it.name, it]))
    }
    const found = one ?? whole?.get(name)
    if (!found) continue
    told.set(name, found)
    for (const { type } of found.inputFields ?? []) {
      const used = namedIn(type)
      if (used && !builtIn.includes(used)) wanted.push(used)
    }
  }
  return told.size === 0 ? undefined : [...told.values()].map(declared).join('\n\n') + '\n'
}

const builtIn: readonly string[] = ['ID', 'String', 'Int', 'Float', 'Boolean']

const namedIn = (type: ToldType): string | null | undefined => (type.ofType ? namedIn(type.ofType) : type.name)

function written({ kind, name, ofType }: ToldType): string {
  if (kind === 'NON_NULL' && ofType) return `${written(ofType)}!`
  return kind === 'LIST' && ofType ? `[${written(ofType)}]` : String(name)
}

function declared({ kind, name, inputFields, enumValues }: ToldInput): string {
  if (kind === 'ENUM') return `enum ${name} {\n${(enumValues ?? []).map((it) => `  ${it.name}`).join('\n')}\n}`
  if (kind !== 'INPUT_OBJECT') return `scalar ${name}`
  const fields = (inputFields ?? []).map(
    (it) => `  ${it.name}: ${written(it.type)}${it.defaultValue == null ? '' : ` = ${it.defaultValue}`}`,
  )
  return `input ${name} {\n${fields.join('\n')}\n}`
}

export interface Filled {
  readonly input: Readonly<Record<string, unknown>>
  /** Required fields for which there is no value, by their place as in `settings.mode`. */
  readonly missing: readonly string[]
}

/** An input of a type, filled with those values of a row whose names and types fit. */
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
    // A list of its own kind would be looked into without an end.
    const nested = isNonNullType(field.type) ? field.type.ofType : field.type
    const inside = isInputObjectType(nested) ? fillInput(nested, {}).missing : []
    missing.push(...(inside.length > 0 ? inside.map((it) => `${field.name}.${it}`) : [field.name]))
  }
  return { input, missing }
}

/** What a type wants beside these values, by its place; a value that wants more inside counts. */
export function lackingIn(type: GraphQLInputObjectType, values: Readonly<Record<string, unknown>>): readonly string[] {
  const { input, missing } = fillInput(type, values)
  const unfit = Object.keys(type.getFields()).filter((it) => Object.hasOwn(values, it) && !Object.hasOwn(input, it))
  return [...missing, ...unfit.filter((it) => !missing.includes(it)).map((it) => `more in ${it}`)]
}

/** The value as an input type takes it, or undefined where it does not fit. */
function fitting(type: GraphQLInputType, value: unknown): unknown {
  if (isNonNullType(type)) return value === null ? undefined : fitting(type.ofType, value)
  if (value === null) return null
  if (isListType(type)) {
    const items = (Array.isArray(value) ? value : [value]).map((it) => fitting(type.ofType, it))
    return items.includes(undefined) ? undefined : items
  }
  if (isInputObjectType(type)) {
    if (typeof value !== 'object' || Array.isArray(value)) return undefined
    const { input, missing } = fillInput(type, value as Readonly<Record<string, unknown>>)
    return missing.length === 0 ? input : undefined
  }
  if (isEnumType(type)) return type.getValue(String(value)) ? value : undefined
  // What a scalar of the service itself takes is not known; a value of the right name is the best guess.
  if (isScalarType(type) && !isSpecifiedScalarType(type)) return value
  try {
    return type.parseValue(value)
  } catch {
    return undefined
  }
}
