/** Writes `record-types.ts`: the types of records as `schema.graphql` has them. */
import { getNamedType, isEnumType, isListType, isNonNullType, isObjectType, type GraphQLOutputType } from 'graphql'
import type { GraphQLObjectType, GraphQLSchema } from 'graphql'
import { definitions } from '../../mocks/world.js'

const scalars: Readonly<Record<string, string>> = {
  Boolean: 'boolean',
  CustomFields: 'Readonly<Record<string, unknown>>',
  Float: 'number',
  Int: 'number',
}

const recordNames = definitions.map(({ name }) => name)

export function recordTypesIn(schema: GraphQLSchema): string {
  const records = recordNames.map((name) => schema.getType(name) as GraphQLObjectType)
  const nested = new Map<string, GraphQLObjectType>()
  const texts = records.map((type) => interfaceOf(type, nested))
  for (const type of nested.values()) texts.push(interfaceOf(type, nested))
  const index = records.map(({ name }) => `  ${name}: ${name}`)
  return [
    '/** The records of a mock by type, as `schema.graphql` has them. Written by `npm run update`. */',
    ...texts,
    `/** By the name of the type. */\nexport interface RecordTypes {\n${index.join('\n')}\n}`,
  ].join('\n\n')
}

function interfaceOf(type: GraphQLObjectType, nested: Map<string, GraphQLObjectType>): string {
  const fields = Object.values(type.getFields()).flatMap(({ name, type: of, description }) => {
    const inner = getNamedType(of)
    // Lists of records are no part of a record.
    if (isObjectType(inner) && recordNames.includes(inner.name)) return []
    if (isObjectType(inner)) nested.set(inner.name, inner)
    const about = description ? `  /** ${description.split('\n')[0]} */\n` : ''
    return [`${about}  readonly ${name}: ${textOf(of)}`]
  })
  return `export interface ${type.name} {\n${fields.join('\n')}\n}`
}

function textOf(type: GraphQLOutputType): string {
  if (!isNonNullType(type)) return `${innerText(type)} | null`
  return innerText(type.ofType as GraphQLOutputType)
}

function innerText(type: GraphQLOutputType): string {
  if (isListType(type)) return `readonly (${textOf(type.ofType as GraphQLOutputType)})[]`
  const named = getNamedType(type)
  if (isObjectType(named)) return named.name
  if (isEnumType(named))
    return named
      .getValues()
      .map(({ name }) => `'${name}'`)
      .join(' | ')
  return scalars[named.name] ?? (named.name === 'IntegrationDetails' ? 'unknown' : 'string')
}
