/** Assumed fields: they are requested if the server has them, and a difference is a notice. */
import { getNamedType, isObjectType, type GraphQLObjectType } from 'graphql'
import { assumed, inconclusive, type Check, type Context, type Data } from '../../src/contract/check.js'
import { operation } from '../../src/contract/operation.js'
import type { Shapes } from '../../src/contract/shape.js'
import { isAssumed } from '../../src/schema/provenance.js'
import { objectsOf } from '../support/samples.js'
import { customers } from '../customers.js'
import { segments } from '../segments.js'
import { stores } from '../stores.js'

/** The selection of the assumed fields of a type, with all fields in them. */
function assumedFields({ schema, provenance }: Shapes, type: string): string {
  const fieldsOf = (it: GraphQLObjectType) => Object.values(it.getFields())
  const written = (fields: ReturnType<typeof fieldsOf>): string =>
    fields.map(({ name, type }) => `${name}${nested(getNamedType(type))}`).join(' ')
  const nested = (named: unknown): string => (isObjectType(named) ? ` { ${written(fieldsOf(named))} }` : '')
  const declared = schema.getType(type)
  if (!isObjectType(declared)) throw new Error(`There is no type ${type}.`)
  return written(fieldsOf(declared).filter(({ name }) => isAssumed(provenance.get(`${type}.${name}`))))
}

interface Place {
  readonly type: string
  /** The document around a selection. */
  readonly around: (selection: string, id: string) => string
  /** Finds objects of the type, or of the type that holds it. */
  readonly objects?: (context: Context) => Promise<readonly Data[]>
}

const byNode = (type: string) => (selection: string, id: string) =>
  `query Assumed { node(id: ${JSON.stringify(id)}) { ... on ${type} { ${selection} } } }`

const places: readonly Place[] = [
  { type: 'Account', around: (selection) => `query Assumed { account { ${selection} } }` },
  { type: 'Store', around: byNode('Store'), objects: (context) => objectsOf(context, stores) },
  {
    type: 'Product',
    around: (selection, id) =>
      `query Assumed { node(id: ${JSON.stringify(id)}) { ... on Store { products { ${selection} } } } }`,
    objects: (context) => objectsOf(context, stores),
  },
  { type: 'Segment', around: byNode('Segment'), objects: (context) => objectsOf(context, segments) },
  { type: 'Customer', around: byNode('Customer'), objects: (context) => objectsOf(context, customers) },
  {
    type: 'PageInfo',
    around: (selection) => `query Assumed { customers(query: "", first: 1) { pageInfo { ${selection} } } }`,
  },
]

export const assumedFieldChecks: readonly Check[] = places.map(({ type, around, objects }) => ({
  id: `${type.replace(/\B[A-Z]/g, (it) => `-${it}`).toLowerCase()}-assumed-fields`,
  title: `The undocumented fields of ${type} SHOULD have the assumed types.`,
  basis: assumed(`Other fields of ${type} are not shown.`),
  async run(context) {
    const [one] = objects ? await objects(context) : []
    const data = await context.ask(operation(around(assumedFields(context.shapes, type), String(one?.['id'] ?? ''))))
    if (Object.values(data).every((it) => it === null)) inconclusive('The server returns null there.')
  },
}))
