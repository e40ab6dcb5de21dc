/** What the mutations promise: every check that writes, in the order in which they run. */
import { assumed, cannotTell, documented, skip, Unmet, unmet, type Check, type Session } from '../src/contract/check.js'
import { operation, withVariables } from '../src/contract/operation.js'
import { Refused } from '../src/contract/writer.js'
import { pixels, updateAccount } from './account.js'
import { customerListing, customers } from './customers.js'
import { createConversionApiFacebookIntegration, integrations, removeIntegration } from './integrations.js'
import {
  accepted,
  isGone,
  lifecycleChecks,
  makeOne,
  update,
  workingSubject,
  writerOf,
  type Resource,
  type Subject,
} from './lifecycle.js'
import { ofListing, type Data } from './samples.js'
import { deleteSegments, segmentListing } from './segments.js'
import { addProductsToStore, deleteStore, storeProducts, stores } from './stores.js'
import { inListing, leftCustomer, pixelLists, type PixelChange } from './writes.js'

const listedIn =
  (listing: typeof segmentListing, field: string) =>
  async (session: Session, id: string, mark: string): Promise<boolean | undefined> => {
    const found = await inListing(listing, field)(session, [mark])
    return found && found.get(mark) === id
  }

const segmentResource: Resource = {
  name: 'segments',
  one: 'segment',
  type: 'Segment',
  create: {
    field: 'createSegment',
    input: 'SegmentInput',
    basis: documented('Segments: createSegment, mutation: the Segment.'),
    around: (selection) => selection,
    objectIn: (answer) => answer,
  },
  update: {
    field: 'updateSegment',
    input: 'SegmentInput',
    basis: documented('Segments: updateSegment, mutation: the updated Segment.'),
  },
  marked: (row, mark) => ({ ...row, name: `${row['name']} ${mark}` }),
  single: ['description', 'name'],
  // Times are told in words that change by themselves; customers come and go.
  moving: ['created_at', 'updated_at', 'statistics'],
  listed: listedIn(segmentListing, 'name'),
  bystander: async (session) => (await workingSubject(session, segmentResource, 'second')).id,
}

const storeList = async (session: Session): Promise<readonly Data[]> =>
  (((await session.ask(stores))['account'] as Data | null)?.['stores'] ?? []) as readonly Data[]

const storeResource: Resource = {
  name: 'stores',
  one: 'store',
  type: 'Store',
  create: {
    field: 'createStore',
    input: 'StoreInput',
    basis: documented('Stores: createStore, mutation: CreateStoreMutation (`account`, `store`).'),
    around: (selection) => `account { id stores { id } } store { ${selection} }`,
    objectIn: (answer) => (answer['store'] ?? null) as Data | null,
  },
  update: {
    field: 'updateStore',
    input: 'StoreUpdateInput',
    basis: documented('Stores: updateStore, mutation: the updated Store.'),
  },
  marked: (row, mark) => ({
    lang: 'en',
    ...row,
    name: `${row['name']} ${mark}`,
    slug: mark,
    email: `${mark}@example.com`,
  }),
  changed: (input, mark) => ({ ...input, slug: `new-${mark}`, email: `new.${mark}@example.com` }),
  single: ['refund_policy', 'legal_name', 'address'],
  moving: ['updated_at'],
  listed: async (session, id) => (await storeList(session)).some((it) => it['id'] === id),
  bystander: async (session) => (await workingSubject(session, storeResource, 'second')).id,
}

const customerResource: Resource = {
  name: 'customers',
  one: 'customer',
  type: 'Customer',
  create: {
    field: 'createCustomer',
    input: 'InputCustomer',
    basis: documented('Customers: createCustomer, mutation: the Customer.'),
    around: (selection) => selection,
    objectIn: (answer) => answer,
  },
  update: {
    field: 'updateCustomer',
    input: 'InputUpdateCustomer',
    basis: documented('Customers: updateCustomer, mutation: the updated Customer.'),
  },
  marked: (row, mark) => ({ ...row, last_name: `${row['last_name']} ${mark}`, email: `${mark}@example.com` }),
  changed: (input, mark) => ({ ...input, email: `new.${mark}@example.com` }),
  single: ['notes', 'phone', 'accepts_marketing'],
  moving: ['created_at', 'updated_at'],
  listed: listedIn(customerListing, 'full_name'),
  leftover: leftCustomer,
  async bystander(session, { id }) {
    const others = await ofListing(session, customers, 'customers')
    return others.map((it) => String(it['id'])).find((it) => it !== id)
  },
}

/** Deleted objects are gone from node and from the list, and what was not deleted stays. */
async function judgeGone(session: Session, resource: Resource, gone: Subject, kept: Subject): Promise<void> {
  const writer = writerOf(session)
  if (!(await writer.eventually(() => isGone(session, gone.id), Boolean)))
    unmet(`node still answers ${gone.id}, which was deleted.`)
  const listed = await writer.eventually(
    () => resource.listed(session, gone.id, gone.mark),
    (it) => it !== true,
  )
  if (listed) unmet(`The list still shows ${gone.id}, which was deleted.`)
  if (listed === undefined) session.remark('The list is too long to be searched for what was deleted.')
  if (await isGone(session, kept.id)) unmet(`${kept.id} is gone too, and only ${gone.id} was to be deleted.`)
  writer.gone(gone.id)
}

const both = (session: Session, resource: Resource) =>
  Promise.all([workingSubject(session, resource, 'second'), workingSubject(session, resource)])

const deletions: readonly Check[] = [
  {
    id: 'delete-segments',
    title: 'deleteSegments answers the ids that it deleted, and they are gone.',
    basis: documented('Segments: deleteSegments, mutation: list of ID (the deleted segment ids).'),
    writes: 'segments',
    async run(session) {
      const [gone, kept] = await both(session, segmentResource)
      const data = await writerOf(session).change(withVariables(deleteSegments, { items: [gone.id] }), [gone.id])
      const ids = data['deleteSegments']
      if (JSON.stringify(ids) !== JSON.stringify([gone.id])) {
        unmet(`deleteSegments was sent ${gone.id} and answers ${JSON.stringify(ids)}.`)
      }
      await judgeGone(session, segmentResource, gone, kept)
    },
  },
  {
    id: 'delete-store',
    title: 'deleteStore answers the account without the store, and it is gone.',
    basis: documented('Stores: deleteStore, mutation: Account.'),
    writes: 'stores',
    async run(session) {
      const [gone, kept] = await both(session, storeResource)
      const data = await writerOf(session).change(withVariables(deleteStore, { items: [gone.id] }), [gone.id])
      const account = data['deleteStore'] as Data | null
      if (!account) return unmet('deleteStore answers null, and not the account.')
      const { account: own } = await session.ask(stores)
      if (account['id'] !== (own as Data | null)?.['id'])
        unmet(`deleteStore answers ${JSON.stringify(account['id'])}, which is not the account.`)
      const left = ((account['stores'] ?? []) as readonly Data[]).map((it) => it['id'])
      if (left.includes(gone.id)) unmet(`deleteStore answers an account that still lists ${gone.id}.`)
      await judgeGone(session, storeResource, gone, kept)
    },
  },
]

const productsOf = async (session: Session, id: string): Promise<readonly Data[]> => {
  const { node } = await session.ask(withVariables(storeProducts, { id, cursor: null }))
  return ((node as Data | null)?.['products'] ?? []) as readonly Data[]
}

const ofStores: readonly Check[] = [
  {
    id: 'create-store-account',
    title: 'createStore answers the account, which lists the store.',
    basis: documented('CreateStoreMutation: account, Account!; store, Store!.'),
    writes: 'stores',
    async run(session) {
      const { id, answer } = await workingSubject(session, storeResource, 'second')
      const { stores: listed } = answer['account'] as { readonly stores: readonly Data[] | null }
      if (!listed?.some((it) => it['id'] === id)) unmet(`createStore answers an account that does not list ${id}.`)
    },
  },
  {
    id: 'add-products',
    title: 'addProductsToStore answers the store, which then lists the products.',
    basis: documented('Stores: addProductsToStore, mutation: the Store (with `id` and `products(cursor)`).'),
    writes: 'stores',
    async run(session) {
      const writer = writerOf(session)
      const uids = writer.productUids
      if (uids.length === 0) skip('No query tells the uids of products. Give some with --product-uids.')
      const { id } = await workingSubject(session, storeResource)
      const before = await productsOf(session, id)
      const asked = withVariables(addProductsToStore, { id, node: { products_uids: uids }, cursor: null })
      const store = (await writer.change(asked, [id]))['addProductsToStore'] as Data | null
      if (store?.['id'] !== id) unmet(`addProductsToStore was sent ${id} and answers ${JSON.stringify(store?.['id'])}.`)
      const answered = (store?.['products'] ?? []) as readonly Data[]
      const wanted = Math.min(before.length + uids.length, answered.length < 25 ? Infinity : answered.length)
      if (answered.length < wanted) {
        unmet(
          `The store had ${before.length} products, ${uids.length} were added, and the answer lists ${answered.length}.`,
        )
      }
      const later = await writer.eventually(
        () => productsOf(session, id),
        (it) => it.length >= answered.length,
      )
      if (later.length < answered.length)
        unmet(`node lists ${later.length} products of the store after ${answered.length} were answered.`)
    },
  },
]

const pixelsNow = async (session: Session): Promise<Data> => ((await session.ask(pixels))['account'] ?? {}) as Data

/** Adds a pixel to what stands in a list. The other lists are sent as they stand, unless only this one shall be. */
async function addPixel(session: Session, list: PixelChange['list'], { alone = false } = {}) {
  const writer = writerOf(session)
  const all = await pixelsNow(session)
  const before = all[list] as readonly unknown[]
  const mark = writer.mark()
  const row = writer.row('Pixel')
  const after = [...before, { label: `${row['label']} ${mark}`, value: row['value'] }]
  const others = Object.fromEntries(pixelLists.filter((it) => it !== list).map((it) => [it, all[it]]))
  const keep: PixelChange = { list, before, after, others }
  const sent: Data = alone ? { [list]: after } : { ...others, [list]: after }
  const { data } = await writer.make({
    kind: 'pixels',
    mark,
    keep,
    operation: withVariables(updateAccount, { node: sent }),
    idOf: (answer) => ((answer['updateAccount'] as Data | null)?.[list] ? list : undefined),
  })
  return { all, after, answered: data['updateAccount'] as Data }
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

const ofPixels: readonly Check[] = [
  {
    id: 'update-account',
    title: 'updateAccount answers the pixel lists as they were sent, and the account then shows them.',
    basis: documented(
      'Account settings: updateAccount, mutation: the Account (`id` and the requested fields, including the three pixel lists).',
    ),
    writes: 'pixels',
    async run(session) {
      const { account: own } = await session.ask(pixels)
      for (const list of pixelLists) {
        const { after, answered } = await addPixel(session, list)
        if (answered['id'] !== (own as Data | null)?.['id'])
          unmet(`updateAccount answers ${JSON.stringify(answered['id'])}, which is not the account.`)
        if (!same(answered[list], after))
          unmet(`${list} was sent as ${JSON.stringify(after)}, and the answer has ${JSON.stringify(answered[list])}.`)
        const later = await writerOf(session).eventually(
          () => pixelsNow(session),
          (it) => same(it[list], after),
        )
        if (!same(later[list], after))
          unmet(`${list} was sent as ${JSON.stringify(after)}, and the account shows ${JSON.stringify(later[list])}.`)
      }
    },
  },
  {
    id: 'update-account-rest',
    title: 'A pixel list that updateAccount is not sent stays as it is.',
    basis: assumed('That a list which is left out stays is not said.'),
    writes: 'pixels',
    async run(session) {
      const [list, ...others] = pixelLists
      const { all } = await addPixel(session, list, { alone: true })
      const later = await pixelsNow(session)
      const moved = others.find((it) => !same(later[it], all[it]))
      if (moved)
        unmet(`${moved} was not sent and went from ${JSON.stringify(all[moved])} to ${JSON.stringify(later[moved])}.`)
    },
  },
]

const integrationList = async (session: Session): Promise<readonly Data[]> =>
  (((await session.ask(integrations))['account'] as Data | null)?.['integrations'] ?? []) as readonly Data[]

interface MadeIntegration {
  readonly id: string
  readonly input: Data
}

const integrationOf = (session: Session): Promise<MadeIntegration> =>
  session.shared('an integration', async () => {
    const writer = writerOf(session)
    const mark = writer.mark()
    const row = writer.row('Integration')
    const pixelIds = (row['details'] as Data)['pixels']
    const input = { token: `opens-nothing-${mark}`, label: `${row['label']} ${mark}`, pixels: pixelIds }
    const making = writer.make({
      kind: 'integrations',
      mark,
      operation: withVariables(createConversionApiFacebookIntegration, { node: input }),
      idOf: (data) => (data['createConversionApiFacebookIntegration'] as Data | null)?.['id'],
    })
    // The token opens nothing, and a server may look.
    const { id } = await accepted(making, 'to make an integration')
    return { id, input }
  })

const ofIntegrations: readonly Check[] = [
  {
    id: 'create-integration',
    title:
      'createConversionApiFacebookIntegration answers an id, and the account then shows the integration with its pixels.',
    basis: documented(
      'Account settings: createConversionApiFacebookIntegration, mutation: an object with `id` (the integration). Integration: for a Facebook integration details carries a `pixels` list.',
    ),
    writes: 'integrations',
    async run(session) {
      const { id, input } = await integrationOf(session)
      const look = async () => (await integrationList(session)).find((it) => it['id'] === id)
      const shown = await writerOf(session).eventually(look, (it) => it !== undefined)
      if (!shown) return unmet(`The account does not list the integration ${id}, which was just made.`)
      if (shown['label'] !== input['label'])
        unmet(
          `label was sent as ${JSON.stringify(input['label'])}, and the account shows ${JSON.stringify(shown['label'])}.`,
        )
      const listed = (shown['details'] as Data | null)?.['pixels']
      if (!same(listed, input['pixels']))
        unmet(`pixels were sent as ${JSON.stringify(input['pixels'])}, and details carry ${JSON.stringify(listed)}.`)
      if (JSON.stringify(shown).includes(String(input['token'])))
        unmet('The integration shows the token that was sent.')
    },
  },
  {
    id: 'remove-integration',
    title: 'removeIntegration answers the account without the integration, and it is gone.',
    basis: documented(
      'Account settings: removeIntegration, mutation: the Account with `id` and the remaining `integrations`.',
    ),
    writes: 'integrations',
    async run(session) {
      const { id } = await integrationOf(session).catch((error: unknown) => {
        if (!(error instanceof Unmet)) throw error
        return cannotTell('No integration can be made, which create-integration judges.')
      })
      const before = await integrationList(session)
      const writer = writerOf(session)
      const data = await writer.change(withVariables(removeIntegration, { id }), [id])
      const account = data['removeIntegration'] as {
        readonly id: string
        readonly integrations: readonly Data[]
      } | null
      if (!account) return unmet('removeIntegration answers null, and not the account.')
      const { account: own } = await session.ask(integrations)
      if (account.id !== (own as Data | null)?.['id'])
        unmet(`removeIntegration answers ${JSON.stringify(account.id)}, which is not the account.`)
      if (account.integrations.some((it) => it['id'] === id))
        unmet(`removeIntegration answers an account that still lists ${id}.`)
      const wanted = before.map((it) => it['id']).filter((it) => it !== id)
      const lacking = wanted.find((it) => !account.integrations.some((other) => other['id'] === it))
      if (lacking !== undefined)
        unmet(`removeIntegration was sent ${id}, and ${String(lacking)} is missing from its answer.`)
      const look = async () => (await integrationList(session)).map((it) => it['id'])
      const later = await writer.eventually(look, (ids) => !ids.includes(id))
      if (later.includes(id)) unmet(`The account still lists the integration ${id}, which was removed.`)
      const gone = wanted.find((it) => !later.includes(it))
      if (gone !== undefined)
        unmet(`The account does not list ${String(gone)} any more, and only ${id} was to be removed.`)
      writer.gone(id)
    },
  },
]

const order: Check = {
  id: 'mutations-in-order',
  title: 'Two mutations in one document run one after the other, in their order.',
  basis: documented(
    'What the service does: Every operation is a GraphQL query or mutation. The fields of a mutation run in order.',
  ),
  writes: 'segments',
  async run(session) {
    const subject = await workingSubject(session, segmentResource)
    const writer = writerOf(session)
    const named = (row: Data, word: string) =>
      writer.input('SegmentInput', { name: `${row['name']} ${word} ${subject.mark}` })
    const row = writer.row('Segment')
    const [one, two] = [await named(row, 'first'), await named(row, 'then')]
    const document = `mutation InOrder($id: ID!, $one: SegmentInput!, $two: SegmentInput!) {
  one: updateSegment(id: $id, node: $one) { id name }
  two: updateSegment(id: $id, node: $two) { id name }
}`
    const changing = writer.change(operation(document, { id: subject.id, one, two }), [subject.id])
    const data = await accepted(changing, 'two names for a segment')
    for (const [alias, sent] of [
      ['one', one],
      ['two', two],
    ] as const) {
      const shown = (data[alias] as Data | null)?.['name']
      if (shown !== sent['name'])
        unmet(
          `The mutation \`${alias}\` was sent ${JSON.stringify(sent['name'])} and answers ${JSON.stringify(shown)}.`,
        )
    }
    const asked = operation('query InOrder($id: ID!) { node(id: $id) { id ... on Segment { name } } }', {
      id: subject.id,
    })
    const stands = await writer.eventually(
      async () => ((await session.ask(asked))['node'] as Data | null)?.['name'],
      (name) => name === two['name'],
    )
    if (stands !== two['name'])
      unmet(`After two mutations in one document the first one stands: ${JSON.stringify(stands)}.`)
  },
}

/** What a server does where the specification is silent, seen only by writing. */
const seenByDeleting: readonly Check[] = [
  {
    id: 'observe-unknown-delete',
    title: 'what a delete does with an identifier that is unknown or deleted',
    basis: assumed('States and transitions of any resource: not shown.'),
    observes: 'unknown_delete',
    writes: 'segments',
    async run(session) {
      const { id } = await makeOne(session, segmentResource)
      const writer = writerOf(session)
      const asked = withVariables(deleteSegments, { items: [id] })
      await writer.change(asked, [id])
      const { body } = await writer.remove(asked, [id])
      writer.gone(id)
      return told(session, 'unknown_delete', body.errors?.length ? 'error' : 'pass_over')
    },
  },
]

const seenByWriting: readonly Check[] = [
  {
    id: 'observe-same-slug',
    title: 'whether two stores can have one slug',
    basis: assumed('Other Store fields: not shown.'),
    observes: 'same_slug',
    writes: 'stores',
    async run(session) {
      // The slug of the first one has been changed since.
      const { input } = await workingSubject(session, storeResource, 'second')
      if (!Object.hasOwn(input, 'slug')) cannotTell('A store takes no slug here.')
      const twin: Resource = {
        ...storeResource,
        marked: (row, mark) => ({ ...storeResource.marked(row, mark), slug: input['slug'] }),
      }
      const refused = await isRefused(makeOne(session, twin))
      return told(session, 'same_slug', refused ? 'error' : 'allow')
    },
  },
  {
    id: 'observe-same-email',
    title: 'whether two customers can have one e-mail address',
    basis: assumed('Customer fields beyond these: not shown.'),
    observes: 'same_email',
    writes: 'customers',
    async run(session) {
      const subject = await workingSubject(session, customerResource)
      if (!(await session.shows('Customer.email'))) cannotTell('The server does not show the e-mail of a customer.')
      const other = await customerResource.bystander(session, subject)
      if (other === undefined) return cannotTell('There is no other customer.')
      const read = async (id: string) => {
        const { node } = await session.ask(
          operation('query Email($id: ID!) { node(id: $id) { id ... on Customer { email } } }', { id }),
        )
        return (node as Data | null)?.['email']
      }
      const [mine, theirs] = [await read(subject.id), await read(other)]
      const input = await writerOf(session).input('InputUpdateCustomer', { email: theirs })
      if (!theirs || !mine || input['email'] !== theirs) cannotTell('A customer takes no e-mail address here.')
      // Only the customer that this run made takes the address of another, and gives it back.
      const refused = await isRefused(update(session, customerResource, subject, input))
      if (!refused) await update(session, customerResource, subject, { email: mine })
      return told(session, 'same_email', refused ? 'error' : 'allow')
    },
  },
]

const isRefused = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      if (error instanceof Refused) return true
      throw error
    },
  )

const told = (session: Session, name: 'unknown_delete' | 'same_slug' | 'same_email', seen: string) =>
  session.expected[name] === seen ? `as assumed: ${seen}` : `differs: ${seen}`

/** What was made last is deleted last, so that every check has something to look at. */
export const writeChecks: readonly Check[] = [
  ...lifecycleChecks(segmentResource),
  order,
  ...lifecycleChecks(storeResource),
  ...ofStores,
  ...lifecycleChecks(customerResource),
  ...ofIntegrations,
  ...ofPixels,
  ...seenByWriting,
  ...deletions,
  // Not before them: a delete that takes another object would take the one that this makes.
  ...seenByDeleting,
]
