/** What is of others in the account: what a look that costs one call shows of it, and the promise that no write touches it. */
import { getNamedType, getNullableType, isObjectType } from 'graphql'
import {
  inconclusive,
  documented,
  skip,
  fail,
  type Basis,
  type Check,
  type OthersSeen,
  type Context,
} from '../../src/contract/check.js'
import { ofAnyRun } from '../../src/writing/run-tag.js'
import { operation } from '../../src/contract/operation.js'
import { deepEqual } from '../../src/shared/deep-equal.js'
import { TargetError } from '../../src/client/target.js'
import { atWork, harmsOf } from '../../src/writing/harm.js'
import type { Others, Thing, Things } from '../../src/writing/watch.js'
import { pixelLists } from './putting-back.js'
import { writerOf } from './resource.js'
import type { Data } from './samples.js'
import { isGone } from './shown.js'

/** Of the rest all is looked at that the server shows. */
const ofAccount = [...pixelLists, 'account_name', 'slug', 'email', 'timezone', 'store_currency']

/** What changes by itself: it follows orders and the clock, or is signed anew for each answer. */
const moving = ['created_at', 'updated_at', 'statistics', 'avatar', 'expenses', 'orders_count']

/** All that the server shows of a type, as a selection; lists of objects are asked for elsewhere. */
async function wholeOf(context: Context, typeName: string): Promise<string> {
  const type = context.shapes.schema.getType(typeName)
  const fields: string[] = []
  for (const { name, type: given } of isObjectType(type) ? Object.values(type.getFields()) : []) {
    const value = getNullableType(given)
    if (moving.includes(name) || !(await context.shows(`${typeName}.${name}`))) continue
    if (isObjectType(value)) fields.push(`${name} { ${await wholeOf(context, value.name)} }`)
    else if (!isObjectType(getNamedType(value))) fields.push(name)
  }
  return fields.join(' ')
}

/** Asks for the first page of each list: without an order it is what a server shows first, mostly the oldest. */
async function documentOf(context: Context): Promise<string> {
  const account: string[] = []
  for (const field of ofAccount) {
    if (!(await context.shows(`Account.${field}`))) continue
    account.push((pixelLists as readonly string[]).includes(field) ? `${field} { label value }` : field)
  }
  return `query Others {
  account {
    id ${account.join(' ')}
    stores { ${await wholeOf(context, 'Store')} ${await productsOf(context)} }
    integrations { id platform label details }
  }
  segments(query: "") { edges { node { ${await wholeOf(context, 'Segment')} } } }
  customers(query: "") { edges { node { ${await wholeOf(context, 'Customer')} } } }
}`
}

/** The first of a store, by what they are called: prices follow stock and season. */
const productsOf = async (context: Context): Promise<string> =>
  (await context.shows('Store.products')) && (await context.shows('Product.title')) ? 'products { title }' : ''

const rows = (value: unknown): readonly Data[] =>
  Array.isArray(value) ? value.filter((it): it is Data => typeof it === 'object' && it !== null) : []

const nodesIn = (connection: unknown): readonly Data[] =>
  rows((connection as Data | null | undefined)?.['edges']).flatMap((it) => rows([it['node']]))

/** In an order of its own: a server may show lists in any. */
const sorted = (list: unknown) =>
  Array.isArray(list) ? list.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)) : list

/** What of a value is compared, where not all of it. */
const comparable: Readonly<Record<string, (value: unknown) => unknown>> = {
  // A free-form object may hold what changes by itself.
  details: (value) => sorted((value as Data | null | undefined)?.['pixels']),
  tags: sorted,
  // Pixels of a run are not of others.
  ...Object.fromEntries(
    pixelLists.map((it) => [it, (list: unknown) => sorted(rows(list).filter((row) => !isMarked(row)))]),
  ),
}

const isMarked = (it: Data): boolean => ofAnyRun(JSON.stringify(it)) !== undefined

const valuesOf = (it: Data): Data =>
  Object.fromEntries(
    Object.entries(it)
      .filter(([field]) => !moving.includes(field))
      .map(([field, value]) => [field, comparable[field] ? comparable[field](value) : value]),
  )

/** Whether node does not answer it. Where node refuses whatever it is asked, it says nothing of this one. */
async function isNotThere(context: Context, type: string, id: string, now: Things): Promise<boolean> {
  if (!(await isGone(context, id))) return false
  const [there] = idsOf(now, type)
  return there === undefined || !(await isGone(context, there))
}

const idsOf = (things: Things, type: string): readonly string[] =>
  [...things.keys()].filter((name) => name.startsWith(`${type} `)).map((name) => name.slice(type.length + 1))

/** When something is gone that a list does not show any more: a page may show others, and a list may not be answered. */
const goneWhen: Readonly<Record<string, typeof isNotThere>> = {
  Account: async () => false,
  Integration: async (_session, _type, _id, now) => idsOf(now, 'Account').length > 0,
  Store: isNotThere,
  Segment: isNotThere,
  Customer: isNotThere,
}

/** Of the other lists a page is seen, and onto that old ones come when others are deleted. */
const whole: readonly string[] = ['Store', 'Integration']

export const others: Others = {
  isHarmless({ field, before, now }, write) {
    if (!(pixelLists as readonly string[]).includes(field)) return false
    const sent = write?.kind === 'pixels' ? ((write.operation.variables?.['node'] ?? {}) as Data) : undefined
    // Whether a list that is not sent stays is not said: update-account-rest looks at that.
    if (sent && sent[field] === undefined) return true
    return rows(before).every((row) => rows(now).some((it) => deepEqual(it, row)))
  },
  async look(context, isOwn) {
    const asked = await context.shared('what is of others', () => documentOf(context).then((it) => operation(it)))
    const { data, errors } = (await context.send(asked)).body
    const { account, segments, customers } = data ?? {}
    if (!account && !segments && !customers) return errors?.[0]?.message ?? 'no data'
    const { stores, integrations, ...own } = (account ?? {}) as Data
    const lists = {
      Account: account ? [own] : [],
      Store: rows(stores),
      Integration: rows(integrations),
      Segment: nodesIn(segments),
      Customer: nodesIn(customers),
    }
    const things = Object.entries(lists).flatMap(([type, all]) =>
      all.map((it): [string, Thing] => {
        const id = String(it['id'])
        // The account is of others, also where pixels of a run stand in its lists.
        const isOurs = type !== 'Account' && (isOwn(id) || isMarked(it))
        const gone: Thing['isGone'] = async (asking, now) => goneWhen[type]?.(asking, type, id, now) ?? false
        const mark = whole.includes(type) ? ofAnyRun(JSON.stringify(it)) : undefined
        return [`${type} ${id}`, { isOwn: isOurs, mark, shown: valuesOf(it), isGone: gone }]
      }),
    )
    return new Map(things)
  },
}

const promises: Readonly<Record<string, Basis>> = {
  segments: documented('Segments: updateSegment answers the updated Segment, deleteSegments the deleted segment ids.'),
  stores: documented('Stores: updateStore answers the updated Store; deleteStore takes a list of store ids.'),
  customers: documented('Customers: updateCustomer, mutation: the updated Customer.'),
  integrations: documented('Account settings: removeIntegration answers the Account with the remaining integrations.'),
  pixels: documented('Account settings: updateAccount takes the three pixel lists.'),
}

function judgeHarm(kind: string, seen: OthersSeen): OthersSeen {
  const harm = harmsOf(seen).find(({ kinds }) => kinds.has(kind))
  const [sight] = harm?.sights ?? []
  if (!harm || !sight) return seen
  const { by = 'Whatever is written', hits, near, misses, far } = harm
  return fail(
    `${by} does harm to others: something moved in ${hits} of ${near} looks right after it, and in ${misses} of ${far} others, which is no coincidence. Once ${sight.words}`,
    sight.exchanges,
  )
}

/** They come after all that writes, and tell what was seen around it. */
export const spareChecks: readonly Check[] = Object.entries(promises).map(([kind, basis]): Check => ({
  id: `${kind}-spare-others`,
  title: `Writing ${kind} changes nothing that others have, as far as it is looked at.`,
  basis,
  writes: kind,
  always: true,
  async run(context) {
    const writer = writerOf(context)
    if (!writer.othersSeen().sends.some((it) => it.kind === kind)) skip(`Nothing of ${kind} was written.`)
    // What is known already is told, also where there is no call left for a last look.
    judgeHarm(kind, writer.othersSeen())
    await writer.lookAtOthers()
    const seen = judgeHarm(kind, writer.othersSeen())
    const first = seen.sights.find(({ sent, words }) => sent?.kind === kind && words !== undefined)
    if (!first)
      return seen.blind === undefined
        ? undefined
        : inconclusive(`What others have cannot be looked at: “${seen.blind}”.`)
    const words = `Right after ${first.sent?.by} ${first.words}`
    const moved = atWork(seen)
    if (moved !== undefined) {
      inconclusive(
        `${words} Others are at work on the account, and may have done that: while nothing was written ${moved}`,
      )
    }
    // It may be either: no ground to accuse the server, and none to pass it.
    throw new TargetError(
      `${words} Nobody asked for that. Look whether somebody did just this at just that moment, and run again; if not, the server did.`,
    )
  },
}))
