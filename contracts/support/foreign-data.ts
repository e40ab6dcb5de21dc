/** Reads what other people have in the account in one request: all that the server shows of a first page of each list. */
import { getNamedType, getNullableType, isObjectType } from 'graphql'
import type { Context, Data } from '../../src/contract/check.js'
import { operation } from '../../src/contract/operation.js'
import { isObject } from '../../src/shared/is-object.js'
import type { ForeignData } from '../../src/writing/foreign-data.js'
import { ofAnyRun } from '../../src/writing/run-tag.js'
import { pixelLists } from '../account.js'
import { isGone } from './shown.js'

/** Fields that follow orders or the clock, or are signed anew for each answer. */
const changing = ['created_at', 'updated_at', 'statistics', 'avatar', 'expenses', 'orders_count']

/** A selection of all fields that the server shows of a type, without lists of objects. */
async function selectionOf(context: Context, typeName: string): Promise<string> {
  const type = context.shapes.schema.getType(typeName)
  const fields: string[] = []
  for (const { name, type: given } of isObjectType(type) ? Object.values(type.getFields()) : []) {
    const value = getNullableType(given)
    if (changing.includes(name) || !(await context.shows(`${typeName}.${name}`))) continue
    if (isObjectType(value)) fields.push(`${name} { ${await selectionOf(context, value.name)} }`)
    else if (!isObjectType(getNamedType(value))) fields.push(name)
  }
  return fields.join(' ')
}

const objectsIn = (list: unknown): readonly Data[] => (Array.isArray(list) ? list.filter(isObject) : [])

const nodesIn = (connection: unknown): readonly Data[] =>
  objectsIn((connection as Data | null | undefined)?.['edges']).flatMap(({ node }) => objectsIn([node]))

/** A server may show lists in any order, and a free-form object may hold what changes by itself. */
const comparable = (field: string, value: unknown): unknown => {
  const list = field === 'details' ? (value as Data | null)?.['pixels'] : value
  return Array.isArray(list) ? list.map((it) => JSON.stringify(it)).sort() : list
}

const fieldsOf = (object: Data): Data =>
  Object.fromEntries(Object.entries(object).map(([field, value]) => [field, comparable(field, value)]))

const tagIn = (object: Data) => ofAnyRun(JSON.stringify(object))

/** A page of the others may not reach an object. */
const wholeLists = ['Store', 'Integration']

export const foreignData: ForeignData = {
  async operation(context) {
    const [account, store, segment, customer] = await Promise.all(
      ['Account', 'Store', 'Segment', 'Customer'].map((type) => selectionOf(context, type)),
    )
    return operation(`query ForeignData {
  account {
    ${account}
    ${pixelLists.map((list) => `${list} { label value }`).join(' ')}
    stores { ${store} }
    integrations { id platform label details }
  }
  segments(query: "") { edges { node { ${segment} } } }
  customers(query: "") { edges { node { ${customer} } } }
}`)
  },
  async read(context, asked, isOwn) {
    const { data, errors } = (await context.send(asked)).body
    const { account, segments, customers } = data ?? {}
    if (!account || !segments || !customers) throw new Error(errors?.[0]?.message ?? 'no data')
    const { stores, integrations, ...rest } = account as Data
    const pixels = pixelLists.flatMap((list) => objectsIn(rest[list]).map((it) => [list, it] as const))
    const own = Object.entries(rest).filter(([field]) => !pixelLists.some((it) => it === field))
    const byType = {
      Store: objectsIn(stores),
      Integration: objectsIn(integrations),
      Segment: nodesIn(segments),
      Customer: nodesIn(customers),
    }
    const objects = Object.entries(byType).flatMap(([type, all]) => all.map((it) => [type, it] as const))
    const foreign = objects.filter(([, it]) => !isOwn(String(it['id'])) && tagIn(it) === undefined)
    const others = objects.filter(([type, it]) => wholeLists.includes(type) && !isOwn(String(it['id'])))
    return {
      objects: new Map([
        ['Account', fieldsOf(Object.fromEntries(own))] as const,
        ...pixels
          .filter(([, it]) => tagIn(it) === undefined)
          .map(([list, it]) => [`${list} ${JSON.stringify(it)}`, {}] as const),
        ...foreign.map(([type, it]) => [`${type} ${String(it['id'])}`, fieldsOf(it)] as const),
      ]),
      otherTags: others.flatMap(([, it]) => tagIn(it) ?? []),
    }
  },
  async isGone(context, name) {
    const [, type, id] = /^(Store|Segment|Customer) (.+)$/.exec(name) ?? []
    return type === undefined || isGone(context, id as string)
  },
}
