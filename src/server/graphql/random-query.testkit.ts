/** Random queries of a schema, nearly all of them valid. */
import {
  getNamedType,
  getNullableType,
  GraphQLBoolean,
  GraphQLNonNull,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isUnionType,
  type GraphQLArgument,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql'
import type { Rng } from '../../world/rng.js'

export interface RandomQueryOptions {
  readonly schema: GraphQLSchema
  /** The values of an argument, by its name or that of its type. Others are left out. */
  readonly values: Readonly<Record<string, readonly unknown[]>>
}

export interface RandomQuery {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

/** Names that need care in a response. */
const aliases = [
  'then',
  'constructor',
  'toString',
  'toJSON',
  'valueOf',
  'length',
  'hasOwnProperty',
  '_x',
  'a',
  'b',
  'c',
]

/** Each is invalid for some type of variable. */
const odd = [5, 2.5, 'x', null, [1], {}, true, undefined]

export function randomQuery(rng: Rng, { schema, values }: RandomQueryOptions): RandomQuery {
  const declared: string[] = []
  const variables: Record<string, unknown> = {}
  const fragments: { readonly name: string; readonly type: GraphQLCompositeType; readonly text: string }[] = []
  /** The field behind each response name, which must be the same throughout a type. */
  const meanings = new Map<string, string>()
  const shareOfDirectives = rng.pick([0, 0, 0, 0.1])

  function variable(type: GraphQLInputType, value: unknown): string {
    const name = `v${declared.length}`
    const hasDefault = rng.chance(0.3)
    const mayLack = hasDefault || !isNonNullType(type)
    const as = hasDefault && rng.chance(0.5) ? getNullableType(type) : type
    declared.push(`$${name}: ${String(as)}${hasDefault ? ` = ${literal(type, value)}` : ''}`)
    if (rng.chance(0.02)) variables[name] = rng.pick(odd)
    else if (rng.chance(0.04)) variables[name] = null
    else if (!mayLack || rng.chance(0.7)) variables[name] = value
    return `$${name}`
  }

  /** A value as a document writes it; `inner` writes nested values. */
  function literal(type: GraphQLInputType, value: unknown, inner: typeof literal = literal): string {
    const of = getNullableType(type)
    if (isListType(of) && Array.isArray(value)) return `[${value.map((it) => inner(of.ofType, it)).join(', ')}]`
    if (typeof value !== 'object' || value === null) return isEnumType(of) ? String(value) : JSON.stringify(value)
    const fields = isInputObjectType(of) ? of.getFields() : {}
    return `{ ${Object.entries(value)
      .map(([name, it]) => `${name}: ${inner(fields[name]?.type ?? of, it)}`)
      .join(', ')} }`
  }

  const written = (type: GraphQLInputType, value: unknown): string =>
    rng.chance(0.3) ? variable(type, value) : literal(type, value, written)

  function argument({ name, type, defaultValue }: GraphQLArgument): string[] {
    const choice = values[name] ?? values[getNamedType(type).name] ?? []
    const mayBeNull = !isNonNullType(type)
    if (choice.length === 0 || ((mayBeNull || defaultValue !== undefined) && rng.chance(0.5))) return []
    return [`${name}: ${written(type, mayBeNull && rng.chance(0.1) ? null : rng.pick(choice))}`]
  }

  function directive(): string {
    if (!rng.chance(shareOfDirectives)) return ''
    return ` @${rng.pick(['skip', 'include'])}(if: ${written(new GraphQLNonNull(GraphQLBoolean), rng.chance(0.5))})`
  }

  /** The field with its arguments, under a response name that is free or has the same meaning. */
  function named(parent: string, { name, args }: GraphQLField<unknown, unknown>): string {
    const given = args.flatMap(argument)
    const meaning = given.length > 0 ? `${name}(${given.join(', ')})` : name
    for (let key = rng.chance(0.1) ? rng.pick(aliases) : name; ; key += '_') {
      if ((meanings.get(`${parent}.${key}`) ?? meaning) !== meaning) continue
      meanings.set(`${parent}.${key}`, meaning)
      return key === name ? meaning : `${key}: ${meaning}`
    }
  }

  function spread(type: GraphQLCompositeType, depth: number): string {
    const on = rng.pick([type, ...relatedTo(schema, type)])
    const form = rng.between(0, 3)
    if (form === 0) return `...${directive()} ${selectionSet(type, depth)}`
    if (form === 1) return `... on ${on.name}${directive()} ${selectionSet(on, depth)}`
    const known = fragments.filter((it) => it.type === on)
    if (form === 2 && known.length > 0) return `...${rng.pick(known).name}${directive()}`
    const text = selectionSet(on, depth)
    const name = `F${fragments.length}`
    fragments.push({ name, type: on, text: `fragment ${name} on ${on.name} ${text}` })
    return `...${name}${directive()}`
  }

  function selection(type: GraphQLCompositeType, depth: number): string {
    if (depth > 0 && rng.chance(isAbstractType(type) ? 0.6 : 0.2)) return spread(type, depth - 1)
    const fields = isUnionType(type) ? [] : Object.values(type.getFields())
    const reachable = fields.filter((it) => depth > 0 || isLeafType(getNamedType(it.type)))
    if (reachable.length === 0 || rng.chance(0.1)) return '__typename'
    const field = rng.pick(reachable)
    const of = getNamedType(field.type)
    const head = `${named(type.name, field)}${directive()}`
    return isLeafType(of) ? head : `${head} ${selectionSet(of as GraphQLCompositeType, depth - 1)}`
  }

  const selectionSet = (type: GraphQLCompositeType, depth: number): string =>
    `{ ${Array.from({ length: rng.between(1, 4) }, () => selection(type, depth)).join(' ')} }`

  const root = selectionSet(schema.getQueryType() as GraphQLCompositeType, 4)
  const head = declared.length > 0 ? `query (${declared.join(', ')})` : 'query'
  return { query: [`${head} ${root}`, ...fragments.map(({ text }) => text)].join(' '), variables }
}

/** Other types that a fragment may have in a selection of this type. */
const relatedTo = (schema: GraphQLSchema, type: GraphQLCompositeType): readonly GraphQLCompositeType[] =>
  isAbstractType(type) ? schema.getPossibleTypes(type) : type.getInterfaces()
