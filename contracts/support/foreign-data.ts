/** Reads what other people have in the account in one request: all that the server shows of a first page of each list. */
import { getNamedType, getNullableType, isLeafType } from 'graphql'
import type { Data } from '../../src/contract/check.js'
import { operation, rootsOf } from '../../src/contract/operation.js'
import { selectionOf, type Wanted } from '../../src/contract/selection.js'
import { isObject } from '../../src/shared/json.js'
import type { ForeignData } from '../../src/writing/foreign-data.js'
import { ofAnyRun } from '../../src/writing/run-tag.js'
import { isGone } from './shown.js'

/** Fields that follow orders or the clock, or are signed anew for each answer. */
const changing = ['created_at', 'updated_at', 'statistics', 'avatar', 'expenses', 'orders_count']

/** All fields but those that change, with lists of objects only if wanted. */
const steadyFields =
  ({ withLists = false, flat = false } = {}): Wanted =>
  ({ name, type }) => {
    const named = getNamedType(type)
    if (changing.includes(name)) return undefined
    if (isLeafType(named) || (getNullableType(type) === named && !flat)) return steadyFields()
    return withLists ? steadyFields({ flat }) : undefined
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
        selectionOf(context, 'Account', steadyFields({ withLists: true, flat })),
        selectionOf(context, 'Segment', steadyFields({ flat })),
        selectionOf(context, 'Customer', steadyFields({ flat })),
      ])
      const document = `query ForeignData($query: String!) {
  account { ${account.replaceAll('{', '{ __typename')} }
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
