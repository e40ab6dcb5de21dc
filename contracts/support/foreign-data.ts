/** Reads what other people have in the account in one request: all that the server shows of a first page of each list. */
import { getNamedType, getNullableType, isObjectType } from 'graphql'
import type { Context, Data } from '../../src/contract/check.js'
import { operation, rootsOf } from '../../src/contract/operation.js'
import { isObject } from '../../src/shared/json.js'
import type { ForeignData } from '../../src/writing/foreign-data.js'
import { ofAnyRun } from '../../src/writing/run-tag.js'
import { isGone } from './shown.js'

/** Fields that follow orders or the clock, or are signed anew for each answer. */
const changing = ['created_at', 'updated_at', 'statistics', 'avatar', 'expenses', 'orders_count']

/** A selection of all fields that the server shows of a type, with lists of objects only if wanted. */
async function allFieldsOf(
  context: Context,
  typeName: string,
  { withLists = false, flat = false } = {},
): Promise<string> {
  const type = context.shapes.schema.getType(typeName)
  const fields: string[] = []
  for (const { name, type: given } of isObjectType(type) ? Object.values(type.getFields()) : []) {
    const named = getNamedType(given)
    if (changing.includes(name) || !(await context.shows(`${typeName}.${name}`))) continue
    if (!isObjectType(named)) fields.push(name)
    else if (getNullableType(given) === named && !flat)
      fields.push(`${name} { ${await allFieldsOf(context, named.name)} }`)
    else if (withLists) fields.push(`${name} { __typename ${await allFieldsOf(context, named.name, { flat })} }`)
  }
  return fields.join(' ')
}

const isObjects = (value: unknown): value is readonly Data[] => Array.isArray(value) && value.every(isObject)

const objectsIn = (list: unknown): readonly Data[] => (Array.isArray(list) ? list.filter(isObject) : [])

const nodesIn = (connection: unknown): readonly Data[] =>
  objectsIn((connection as Data | null | undefined)?.['edges']).flatMap(({ node }) => objectsIn([node]))

/** A server may show lists in any order, and a free-form object may hold what changes by itself. */
const comparable = (field: string, value: unknown): unknown => {
  const list = field === 'details' ? (value as Data | null)?.['pixels'] : value
  return Array.isArray(list) ? list.map((it) => JSON.stringify(it)).sort() : list
}

const fieldsOf = (object: Data): Data =>
  Object.fromEntries(
    Object.entries(object).flatMap(([field, value]) =>
      field === '__typename' || isObjects(value) ? [] : [[field, comparable(field, value)]],
    ),
  )

const tagIn = (object: Data) => ofAnyRun(JSON.stringify(object))

export const foreignData: ForeignData = {
  async ways(context) {
    const reading = async (flat: boolean) => {
      const [account, segment, customer] = await Promise.all([
        allFieldsOf(context, 'Account', { withLists: true, flat }),
        allFieldsOf(context, 'Segment', { flat }),
        allFieldsOf(context, 'Customer', { flat }),
      ])
      const document = `query ForeignData($query: String!) {
  account { ${account} }
  segments(query: $query) { edges { node { __typename ${segment} } } }
  customers(query: $query) { edges { node { __typename ${customer} } } }
}`
      return operation(document, { query: '' })
    }
    return [[await reading(false)], rootsOf(await reading(true))]
  },
  async read(context, way, isOwn) {
    const answers = []
    for (const it of way) answers.push((await context.send(it)).body)
    const data: Data = Object.assign({}, ...answers.map((it) => it.data))
    const { account, segments, customers } = data
    const [error] = answers.flatMap(({ errors }) => errors ?? [])
    if (!account || !segments || !customers) throw new Error(error?.message ?? 'no data')
    const lists = Object.entries(account as Data).filter(([, value]) => isObjects(value))
    const listed = lists.flatMap(([list, objects]) => objectsIn(objects).map((it) => ({ list, it })))
    const found = [...nodesIn(segments), ...nodesIn(customers)].map((it) => ({ list: '', it }))
    const isForeign = ({ it }: { readonly it: Data }) => !isOwn(String(it['id']))
    const named = ({ list, it }: (typeof listed)[number]): readonly [string, Data] =>
      // A pixel has no id.
      it['id'] === undefined
        ? [`${list} ${JSON.stringify(fieldsOf(it))}`, {}]
        : [`${String(it['__typename'])} ${String(it['id'])}`, fieldsOf(it)]
    const foreign = [...listed, ...found].filter(isForeign)
    return {
      objects: new Map([
        ['Account', fieldsOf(account as Data)] as const,
        ...foreign.filter(({ it }) => tagIn(it) === undefined).map(named),
      ]),
      // A page of segments or customers may not reach an object of another run.
      otherTags: listed.filter((it) => it.it['id'] !== undefined && isForeign(it)).flatMap(({ it }) => tagIn(it) ?? []),
    }
  },
  async isGone(context, name) {
    const [, type, id] = /^(Store|Segment|Customer) (.+)$/.exec(name) ?? []
    return type === undefined || isGone(context, id as string)
  },
}
