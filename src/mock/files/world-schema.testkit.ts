/** Makes `world.schema.json`, for editors: the definition of world files with the descriptions of `schema.graphql`. */
import { buildASTSchema, getNamedType, isInputObjectType, isObjectType, type GraphQLSchema } from 'graphql'
import { z } from 'zod'
import { countRules } from '../../../mocks/counts.js'
import { worldDefinition } from './world-definition.js'
import { parseSchema } from '../../schema/load.js'
import { ownPackage } from '../../shared/package.js'

/** A part of a JSON Schema. */
export interface Node {
  description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
}

/** The types whose fields a list or object of a world file has. */
const typesOf: Readonly<Record<string, readonly string[]>> = {
  customers: ['Customer'],
  segments: ['Segment'],
  stores: ['Store', 'StoreInput'],
  integrations: ['Integration', 'FacebookConversionApi'],
  pixels: ['Account', 'Pixel'],
}

const created =
  'When it was created: ISO 8601, UTC unless it has an offset, or relative to the start: 3 days ago, -3d. Default: generated.'

const ownId = 'The id that the mock returns, so that links stay when rows are added. Default: generated.'

/** What `schema.graphql` does not say. */
const remarks: Readonly<Record<string, string>> = {
  $schema: 'Path of the JSON Schema of this file, for editors.',
  about: 'What this world is for.',
  locale:
    'Countries of the generated customers, as locales of faker: de, or de, fr, ja for a mix. Default: the United States.',
  now: 'When the world starts, unless --now is given: ISO 8601.',
  seed: 'Decides every generated value, unless --seed is given.',
  counts: 'Numbers of generated records, besides those listed below. Pixels: in each list.',
  ...Object.fromEntries(
    Object.entries(countRules).map(([name, { default: usual }]) => [
      `counts.${name}`,
      `Number of generated ${name}. Default: ${usual}${name === 'products' ? '' : `, or 0 if the file lists ${name}`}.`,
    ]),
  ),
  customers: 'Customers.',
  segments: 'Segments.',
  stores: 'Stores.',
  integrations: 'Integrations. A world file holds no Facebook token.',
  pixels: 'Tracking pixels of the account.',
  'customers.email': 'E-mail address, unique in the file.',
  'customers.accepts_marketing': 'Whether the customer agreed to receive advertising. Default: false.',
  'customers.expenses': 'Total of all orders. Only the mock can set it. Default: 0.',
  'customers.orders_count': 'Number of orders. Only the mock can set it. Default: 0.',
  'customers.created_at': created,
  'customers.avatar': 'Address of a picture. Only the mock can set it. Default: a picture that the mock serves.',
  ...Object.fromEntries(['customers', 'segments', 'stores', 'integrations'].map((list) => [`${list}.id`, ownId])),
  'customers.updated_at': 'When it was last changed. Default: created_at, or generated with it.',
  'segments.created_at': created,
  'segments.updated_at': 'When it was last changed. Default: created_at, or generated with it.',
  'segments.settings': 'Which customers belong to the segment. Default: all.',
  'stores.slug': 'Short name in URLs, unique in the file. Default: made from the name.',
  'stores.lang': 'Language. The API does not return it. Default: en.',
  'stores.currency': "Currency of the prices. Default: the account's.",
  'stores.email': "Address for customers' questions. Default: the account's.",
  'stores.legal_name': "Name of the company behind the store. Default: the account's.",
  'stores.products_uids':
    'Uids of products to attach. `serve` ignores those that the mock does not have; /_mock/products lists them.',
  'stores.published': 'Whether customers see it. Only the mock can set it. Default: false.',
  'integrations.platform': 'Only the mock can set one other than facebook. Default: facebook.',
}

export function worldSchema(): object {
  const schema = buildASTSchema(parseSchema(ownPackage().schema))
  const root = z.toJSONSchema(worldDefinition, { target: 'draft-7', io: 'input' })
  describe(schema, root as Node, [], '')
  return {
    $id: 'https://commerce-mock.invalid/world.schema.json',
    title: 'A world of commerce-mock',
    description:
      'Demo data for serve --world and seed --world: numbers of generated records, written records, or both.',
    ...root,
  }
}

/** Adds the descriptions below a node, whose fields are those of some types. */
function describe(schema: GraphQLSchema, node: Node, types: readonly string[], path: string): void {
  const { properties = {} } = node.anyOf?.[0] ?? node.items ?? node
  for (const [key, property] of Object.entries(properties)) {
    const at = path === '' ? key : `${path}.${key}`
    const [field] = types.flatMap((name) => fieldsOf(schema, name)[key] ?? [])
    const description = remarks[at] ?? field?.description
    if (description) property.description = description
    describe(schema, property, typesOf[at] ?? (field ? [getNamedType(field.type).name] : []), at)
  }
}

function fieldsOf(schema: GraphQLSchema, name: string) {
  const type = schema.getType(name)
  return isObjectType(type) || isInputObjectType(type) ? type.getFields() : {}
}
