/** Observations: what a server does where the specification is silent, one for each profile entry. */
import { classOf, hasData } from '../../src/client/answer-class.js'
import { TargetError, type GraphqlBody } from '../../src/client/target.js'
import {
  assumed,
  fail,
  Inconclusive,
  inconclusive,
  type Check,
  type Context,
  type Exchange,
} from '../../src/contract/check.js'
import { operation, withVariables } from '../../src/contract/operation.js'
import { isBroken, Rejected } from '../../src/contract/rejection.js'
import { profileEntries, type Profile, type ProfileName } from '../../src/profile.js'
import { deepEqual, isObject } from '../../src/shared/json.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { account } from '../account.js'
import { addressOf, customerListing, customerResource, ownAddress } from '../customers.js'
import { productsIn, storeProducts, stores } from '../products.js'
import { deleteSegments, segmentListing, segmentResource } from '../segments.js'
import { storeResource } from '../stores.js'
import { readPage, readWindow, sameRows, tryPage, usualPage, windowIn } from '../support/pages.js'
import { objectsOf } from '../support/samples.js'
import { noteGone } from '../support/shown.js'
import { createSubject, partOf, update, workingSubject } from '../support/subjects.js'
import { writerOf } from '../support/writer.js'
import { orderQuery, ordersOf } from './orders.js'

const nodeById = operation('query NodeById($id: ID!) { node(id: $id) { __typename id } }')

/** What a server does if no value of the profile fits. */
interface Otherwise {
  readonly words: string
}

interface Observation<Name extends ProfileName = ProfileName> {
  readonly title: string
  /** Set if a difference is worth a notice, because clients rely on what is assumed: the title of that check. */
  readonly relied?: string
  /** The resource that it writes. */
  readonly writes?: string
  readonly observe: (context: Context) => Promise<Profile[Name] | Otherwise>
}

const listings = [customerListing, segmentListing]

/** The longer listing, as far as a window shows. */
const longest = (context: Context) =>
  context.shared('longest list', async () => {
    const windows = []
    for (const listing of listings) {
      const window = await windowIn(context, listing, '')
      windows.push({ listing, window: typeof window === 'string' ? await readWindow(context, listing) : window })
    }
    return windows.reduce((a, b) => (b.window.rows.length > a.window.rows.length ? b : a))
  })

const manyRows = 101

/** A page with more elements than a server may allow, and whether they are all there. */
async function hugePage(context: Context) {
  const { listing, window } = await longest(context)
  if (window.rows.length <= usualPage) inconclusive('No list is longer than 25.')
  const page = await tryPage(context, listing, { first: manyRows })
  if (typeof page === 'string') return { page, isWhole: false }
  // `hasNextPage` may be wrong, which another check judges.
  const after = page.rows.at(-1)?.cursor ?? undefined
  const isEnd = async () =>
    page.hasNextPage === false || (await readPage(context, listing, { first: 1, after })).rows.length === 0
  return { page, isWhole: page.rows.length === manyRows || (await isEnd()) }
}

const wrongField = (context: Context, accept?: string) =>
  context.send(operation('query WrongField {\n  account {\n    no_such_field\n  }\n}'), { accept })

const all: { readonly [Name in ProfileName]: Observation<Name> } = {
  order_keys: {
    title: '`order_by` MAY accept only some keys.',
    async observe(context) {
      const accepted: Record<string, readonly string[]> = {}
      for (const listing of listings) {
        const keys: string[] = []
        for (const key of listing.orderKeys) {
          const window = await windowIn(context, listing, orderQuery(key, 'asc'))
          if (typeof window !== 'string') keys.push(key)
        }
        accepted[listing.name] = keys
      }
      return listings.every(({ name, orderKeys }) => accepted[name]?.length === orderKeys.length) ? {} : accepted
    },
  },
  default_order: {
    title: 'A list without `order_by` MAY be in any order.',
    async observe(context) {
      const { listing, window } = await longest(context)
      if (window.rows.length < 2) inconclusive('The list has fewer than two elements.')
      const orders = [context.expected.default_order, ...ordersOf(listing.orderKeys).map(({ query }) => query)]
      const plain = await readPage(context, listing, { first: usualPage })
      for (const query of new Set(orders)) {
        const order = await windowIn(context, listing, query)
        if (typeof order !== 'string' && sameRows(order.rows.slice(0, plain.rows.length), plain.rows)) return query
      }
      return { words: 'an order that no known key gives' }
    },
  },
  unknown_filter: {
    title: '`query` MAY reject or ignore an unknown key.',
    async observe(context) {
      const page = await tryPage(context, customerListing, { query: 'no_such_key:1', first: 1 })
      return typeof page === 'string' ? 'error' : 'ignore'
    },
  },
  first_negative: {
    title: 'A negative `first` MAY be an error or return an empty page.',
    relied: 'A negative `first` SHOULD be an error.',
    async observe(context) {
      const page = await tryPage(context, customerListing, { first: -1 })
      if (typeof page === 'string') return 'error'
      return page.rows.length === 0 ? 'empty' : { words: `a page of ${page.rows.length}` }
    },
  },
  first_cap: {
    title: '`first` MAY have an upper limit.',
    relied: '`first` SHOULD have no upper limit.',
    async observe(context) {
      const { page, isWhole } = await hugePage(context)
      if (typeof page === 'string') return { words: `an error for \`first: ${manyRows}\`: “${page}”` }
      return isWhole ? null : page.rows.length
    },
  },
  first_above_cap: {
    title: 'A `first` above the limit MAY be an error or return a shorter page.',
    async observe(context) {
      const { page, isWhole } = await hugePage(context)
      if (isWhole) inconclusive('No upper limit of `first` was found.')
      return typeof page === 'string' ? 'error' : 'cap'
    },
  },
  bad_cursor: {
    title: 'An unknown cursor in `after` MAY be an error, or return any page.',
    relied: 'An unknown cursor in `after` SHOULD be an error.',
    async observe(context) {
      const { listing, window } = await longest(context)
      if (window.rows.length === 0) inconclusive('No list has elements.')
      const page = await tryPage(context, listing, { first: 2, after: 'no-such-cursor-0' })
      if (typeof page === 'string') return 'error'
      if (page.rows.length === 0) return 'empty_page'
      return page.rows[0]?.id === window.rows[0]?.id ? 'start_over' : { words: 'another page' }
    },
  },
  product_page_size: {
    title: '`products` of a store MAY return them in pages.',
    async observe(context) {
      const products = async (id: unknown, cursor: unknown) =>
        productsIn((await context.send(withVariables(storeProducts, { id, cursor }))).body.data?.['node'])
      let max = 0
      for (const { id } of (await objectsOf(context, stores, { anyShape: true })).slice(0, 5)) {
        const first = await products(id, null)
        const cursor = first.at(-1)?.['cursor']
        if (typeof cursor === 'string' && (await products(id, cursor)).length > 0) return first.length
        max = Math.max(max, first.length)
      }
      return inconclusive(`No store has more than one page of products; the largest has ${max}.`)
    },
  },
  unknown_node: {
    title: '`node` MAY return null or an error for an unknown id.',
    async observe(context) {
      const { body } = await context.send(withVariables(nodeById, { id: 'no-such-object-0' }))
      if (body.errors?.length) return 'error'
      return body.data?.['node'] == null ? 'null' : { words: 'an object' }
    },
  },
  unknown_delete: {
    title: 'A delete MAY reject an unknown or deleted id.',
    writes: 'segments',
    async observe(context) {
      const { id } = await createSubject(context, segmentResource)
      const writer = writerOf(context)
      const asked = withVariables(deleteSegments, { items: [id] })
      await writer.change(asked, [id])
      const { body } = await writer.remove(asked, [id])
      await noteGone(context, id)
      return body.errors?.length ? 'error' : 'pass_over'
    },
  },
  same_email: {
    title: 'Two customers MAY have the same e-mail address.',
    writes: 'customers',
    async observe(context) {
      const subject = await workingSubject(context, customerResource)
      if (!(await context.shows('Customer.email'))) inconclusive('The server does not show the e-mail of a customer.')
      const partWith = (email: string) => partOf(context, customerResource, subject.id, { email })
      if (!Object.hasOwn(await partWith(''), 'email')) {
        inconclusive('InputUpdateCustomer has no email here.')
      }
      // Never the address of a person: the server may send to it, or merge the two customers.
      const other = await workingSubject(context, customerResource, 'second')
      const email = await addressOf(context, other.id)
      if (email === undefined || oneOf([other.tag])(email) === undefined) {
        return inconclusive('There is no second customer of this suite that has an e-mail address of its own.')
      }
      // In the ledger, so that the customer gets its own address back even if the run dies.
      const changed = { kind: 'addresses', tag: subject.tag }
      const rejected = await isRejected(update(context, customerResource, subject, await partWith(email), changed))
      if (!rejected) await update(context, customerResource, subject, await partWith(ownAddress(subject.tag)))
      return rejected ? 'error' : 'allow'
    },
  },
  same_slug: {
    title: 'Two stores MAY have the same slug.',
    writes: 'stores',
    async observe(context) {
      // Not the second store, whose slug was changed by an update.
      const { input } = await workingSubject(context, storeResource)
      if (!Object.hasOwn(input, 'slug')) inconclusive('StoreInput has no slug here.')
      const tagged: typeof storeResource.tagged = (row, tag) => ({
        ...storeResource.tagged(row, tag),
        slug: input['slug'],
      })
      return (await isRejected(createSubject(context, { ...storeResource, tagged }))) ? 'error' : 'allow'
    },
  },
  error_form: {
    title: 'An error MAY have a name, a key and a path of its own.',
    async observe(context) {
      const [error] = (await wrongField(context)).body.errors ?? []
      if (!error) return { words: 'no error at all' }
      return 'name' in error && 'key' in error ? 'keyed' : 'standard'
    },
  },
  error_status: {
    title: 'The status of a response with errors MAY depend on its media type.',
    async observe(context) {
      const { status } = await wrongField(context, 'application/json')
      const response = await wrongField(context, 'application/graphql-response+json')
      if (status === 200 && response.status === 400) return 'by_media_type'
      if (status !== response.status) {
        return {
          words: `status ${status} as application/json, ${response.status} as application/graphql-response+json`,
        }
      }
      return ([200, 400, 422] as const).find((it) => it === status) ?? { words: `status ${status}` }
    },
  },
  http_get: {
    title: 'The server MAY answer queries that are sent by GET.',
    async observe(context) {
      try {
        const { body } = await context.send(account, { method: 'GET' })
        return body.data ? 'queries' : 'refuse'
      } catch (error) {
        if (!(error instanceof TargetError)) throw error
        await requireUp(context)
        return 'refuse'
      }
    },
  },
}

/** A server that fails on every request shows nothing by failing on this one. */
async function requireUp(context: Context): Promise<void> {
  const { body } = await context.send({ query: '{ __typename }' })
  if (!hasData(body)) inconclusive(`The server fails on every request now: “${body.errors?.[0]?.message}”.`)
}

const maxErrorLength = 100_000

const isFailure = ({ status, answer }: Exchange): boolean => {
  if (answer.length > maxErrorLength) return false
  const { errors, ...body } = JSON.parse(answer) as GraphqlBody
  return !hasData(body) && classOf({ status, error: errors?.[0] }) === 'server error'
}

const isRejected = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      // A server error or a missing permission says nothing about the rule.
      if (error instanceof Rejected && error.reason === 'rejection') return true
      throw error
    },
  )

function textOf(value: Profile[ProfileName] | Otherwise): string {
  if (value === null) return 'none'
  if (!isObject(value)) return String(value)
  if (typeof value['words'] === 'string') return value['words']
  const lists = Object.entries(value).map(([list, keys]) => `${list} by ${(keys as string[]).join(', ') || 'none'}`)
  return lists.join('; ') || 'every known key'
}

/** Observes an entry once in a run, even if several checks need it. */
async function observe(context: Context, name: ProfileName) {
  const { seen, exchanges } = await context.shared(`observation of ${name}`, async () => {
    const seen = await all[name].observe(context).catch((error: unknown) => {
      // What the observation needs is judged by other checks.
      throw isBroken(error) ? new Inconclusive(error.message) : error
    })
    const exchanges = context.last()
    if (exchanges.some(isFailure)) await requireUp(context)
    return { seen, exchanges }
  })
  const expected = context.expected[name]
  const value = profileEntries[name].accepts(seen) ? seen : undefined
  return { isExpected: deepEqual(seen, expected), value, seen: textOf(seen), expected: textOf(expected), exchanges }
}

const entries = Object.entries(all) as [ProfileName, Observation][]

const observationsOf = (isWanted: (name: ProfileName, observation: Observation) => boolean): readonly Check[] =>
  entries
    .filter(([name, it]) => isWanted(name, it))
    .map(([name, { title, writes }]) => ({
      id: `observe-${name.replaceAll('_', '-')}`,
      title,
      basis: assumed(profileEntries[name].reason),
      observes: name,
      ...(writes && { writes }),
      serialGroup: 'observations',
      async run(context) {
        const { isExpected, value, seen, expected } = await observe(context, name)
        context.observed(value, isExpected)
        return isExpected ? `as assumed: ${expected}` : `differs: ${seen}, not ${expected}`
      },
    }))

export const observations = observationsOf((_, { writes }) => writes === undefined)
export const writeObservations = observationsOf((name, { writes }) => writes !== undefined && name !== 'unknown_delete')
/** Runs after the deletions that are judged: a wrong delete would take the objects that it creates. */
export const deleteObservations = observationsOf((name) => name === 'unknown_delete')

export const reliedChecks: readonly Check[] = entries.flatMap(([name, { relied: title }]) => {
  if (title === undefined) return []
  const check: Check = {
    id: name.replaceAll('_', '-'),
    title,
    basis: assumed(profileEntries[name].reason),
    serialGroup: 'observations',
    async run(context) {
      const { isExpected, seen, expected, exchanges } = await observe(context, name)
      if (!isExpected) fail(`Expected ${expected}, but this server does this: ${seen}.`, exchanges)
    },
  }
  return [check]
})
