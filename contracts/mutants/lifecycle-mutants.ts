/** Servers that break a promise about creating, updating or deleting segments, stores and customers. */
import type { Data } from '../../src/contract/check.js'
import type { AnswerRules } from './response-walk.js'
import type { Mutant } from './mutant.js'
import { answeringWith, mutating, sending, stateful, type MutationRule, type Tools } from './mutation-rules.js'

interface Kind {
  readonly one: string
  readonly create: string
  readonly update: string
  readonly updateInput: string
  /** Left out if nothing deletes one. */
  readonly remove?: string
  /** The object in the answer of create, and the answer with another object. */
  readonly objectIn: (answer: Data) => Data
  readonly withObject: (answer: Data, object: Data) => Data
  /** The rows of the list that shows it. */
  readonly list: string
  readonly rowsIn: (data: Data) => readonly Data[]
  /** The schema coordinate of the list, and the id in one of its items. */
  readonly rows: string
  readonly idOfRow: (row: Data) => unknown
  /** An item of the list with a changed object. */
  readonly withRow: (row: Data, change: (object: Data) => Data) => Data
  /** A string field that is shown as it was sent. */
  readonly text: string
  /** All fields that an update takes and a query shows. */
  readonly updatable: readonly string[]
  /** Those of them that are documented, or show in a documented one. */
  readonly documented: readonly string[]
  /** More checks that fail with those that every resource has. */
  readonly more: {
    readonly ofNode: readonly string[]
    readonly ofUpdate: readonly string[]
  }
}

const connectionRows = (name: string) => (data: Data) =>
  ((data[name] as { edges: readonly { node: Data }[] }).edges ?? []).map(({ node }) => node)

const plain = {
  objectIn: (answer: Data) => answer,
  withObject: (_: Data, object: Data) => object,
  idOfRow: (row: Data) => (row['node'] as Data | null)?.['id'],
  withRow: (row: Data, change: (object: Data) => Data) => ({ ...row, node: change(row['node'] as Data) }),
}

const kinds: readonly Kind[] = [
  {
    ...plain,
    one: 'segment',
    create: 'createSegment',
    update: 'updateSegment',
    updateInput: 'SegmentInput',
    remove: 'deleteSegments',
    list: '{ segments(query: "", first: 25) { edges { node { id } } } }',
    rowsIn: connectionRows('segments'),
    rows: 'SegmentConnection.edges',
    text: 'description',
    updatable: ['name', 'description', 'settings'],
    documented: ['name', 'description'],
    more: { ofNode: ['mutations-in-order'], ofUpdate: ['mutations-in-order'] },
  },
  {
    one: 'store',
    create: 'createStore',
    update: 'updateStore',
    updateInput: 'StoreUpdateInput',
    remove: 'deleteStore',
    objectIn: (answer) => answer['store'] as Data,
    withObject: (answer, store) => ({ ...answer, store }),
    list: '{ account { stores { id } } }',
    rowsIn: (data) => (data['account'] as { stores: readonly Data[] }).stores,
    rows: 'Account.stores',
    idOfRow: (row) => row['id'],
    withRow: (row, change) => change(row),
    text: 'currency',
    updatable: [
      'slug',
      'email',
      'legal_name',
      'address',
      'refund_policy',
      'privacy_policy',
      'terms_of_services',
      'single_checkout_page',
    ],
    documented: [],
    more: { ofNode: ['add-products'], ofUpdate: [] },
  },
  {
    ...plain,
    one: 'customer',
    create: 'createCustomer',
    update: 'updateCustomer',
    updateInput: 'InputUpdateCustomer',
    list: '{ customers(query: "", first: 25) { edges { node { id } } } }',
    rowsIn: connectionRows('customers'),
    rows: 'CustomerConnection.edges',
    text: 'phone',
    updatable: ['email', 'phone', 'first_name', 'last_name', 'accepts_marketing', 'tags', 'notes', 'custom'],
    documented: ['first_name', 'last_name'],
    more: { ofNode: [], ofUpdate: [] },
  },
]

const nodeArgs = (args: Data): Data => args['node'] as Data

/** Without objects, because the next answer may need other fields of them. */
const plainOf = (input: Data): Data =>
  Object.fromEntries(Object.entries(input).filter(([, it]) => typeof it !== 'object' || Array.isArray(it)))

/** Another object than the one with this id: preferably one that the run created. */
async function otherThan(kind: Kind, id: unknown, { made, ask }: Tools): Promise<string> {
  const own = (made.get(kind.create) ?? []).findLast((it) => it !== id)
  if (own !== undefined) return own
  const rows = kind.rowsIn(await ask(kind.list))
  return String(rows.map((it) => it['id']).find((it) => it !== id))
}

/** Hides objects from reads. */
const hides = (kind: Kind, hidden: ReadonlySet<unknown>, where: { node?: boolean; list?: boolean }): AnswerRules => ({
  ...(where.node && {
    'Query.node': (value, { args }) => (hidden.has(args['id']) ? null : value),
  }),
  ...(where.list && {
    [kind.rows]: (value) => (value as readonly Data[]).filter((row) => !hidden.has(kind.idOfRow(row))),
  }),
})

/** Hides created objects in the places named. */
const hiding = (kind: Kind, where: { node?: boolean; list?: boolean }) =>
  stateful(
    () => new Set<unknown>(),
    (hidden) => ({
      writes: {
        [kind.create]: answeringWith((value) => {
          hidden.add(kind.objectIn(value)['id'])
          return value
        }),
      },
      reads: hides(kind, hidden, where),
    }),
  )

const otherText = 'as the server likes it'

const asked = (args: Data, kind: Kind) => nodeArgs(args)[kind.text]

/** The check that judges one field: only an assumed one for some. */
const judgedBy = ({ text }: Kind, check: string): Pick<Mutant, 'killedBy' | 'notices'> =>
  ['name', 'description'].includes(text) ? { killedBy: [check] } : { killedBy: [], notices: [check] }

function ofMaking(kind: Kind): readonly Mutant[] {
  const { one, create, objectIn, withObject, text, more } = kind
  return [
    {
      id: `${one}-lost`,
      about: `${create} returns what it should, and nothing is there.`,
      killedBy: [`create-${one}-node`, `create-${one}-list`],
      wrap: hiding(kind, { node: true, list: true }),
    },
    {
      id: `${one}-not-in-node`,
      about: `node does not return what ${create} made.`,
      killedBy: [`create-${one}-node`, `update-${one}`, ...more.ofNode],
      wrap: hiding(kind, { node: true }),
    },
    {
      id: `${one}-not-in-list`,
      about: `The list does not show what ${create} made.`,
      killedBy: [`create-${one}-list`],
      wrap: hiding(kind, { list: true }),
    },
    {
      id: `${one}-made-as-another`,
      about: `${create} returns the id of another object.`,
      killedBy: [`create-${one}-node`, `create-${one}-list`],
      wrap: mutating({
        [create]: answeringWith(async (value, _, { ask }) => {
          const id = kind.rowsIn(await ask(kind.list))[0]?.['id']
          return withObject(value, { ...objectIn(value), id })
        }),
      }),
    },
    {
      id: `${one}-made-with-other-answer`,
      about: `${create} returns another ${text} than was sent, and keeps the right one.`,
      ...judgedBy(kind, `create-${one}`),
      wrap: mutating({
        [create]: answeringWith((value) => withObject(value, { ...objectIn(value), [text]: otherText })),
      }),
    },
    {
      id: `${one}-kept-otherwise`,
      about: `${create} returns the ${text} that was sent, and keeps another one.`,
      ...judgedBy(kind, `create-${one}-node`),
      wrap: mutating({
        [create]: async (args, proceed) => {
          const value = await proceed({ ...args, node: { ...nodeArgs(args), [text]: otherText } })
          return withObject(value, { ...objectIn(value), [text]: asked(args, kind) })
        },
      }),
    },
  ]
}

/** The object that the run created before or after another one. */
const neighborOf = ({ create }: Kind, id: unknown, by: -1 | 1, { made }: Tools): string | undefined => {
  const own = made.get(create) ?? []
  const at = own.indexOf(String(id))
  return at < 0 ? undefined : own[at + by]
}

const changingNeighbor =
  (kind: Kind, by: -1 | 1): MutationRule =>
  async (args, proceed, tools) => {
    const id = neighborOf(kind, args['id'], by, tools)
    if (id !== undefined) await proceed({ ...args, id })
    return proceed()
  }

const updateThatDeletes = (kind: Kind, remove: string): Mutant => ({
  id: `${kind.one}-update-deletes-another`,
  about: `${kind.update} deletes another ${kind.one}.`,
  // deleteSegments answers only the ids that it deleted, so the missing segment shows there too.
  killedBy: [`update-${kind.one}-rest`, ...(remove === 'deleteSegments' ? ['delete-segments'] : [])],
  wrap: mutating({
    [kind.update]: async (args, proceed, tools) => {
      const selection = remove === 'deleteStore' ? ' { id }' : ''
      const items = [await otherThan(kind, args['id'], tools)]
      await tools.ask(`mutation M($items: [ID!]!) { ${remove}(items: $items)${selection} }`, { items })
      return proceed()
    },
  }),
})

function ofChanging(kind: Kind): readonly Mutant[] {
  const { one, update, updatable, more } = kind
  const [first, second] = [updatable[1] as string, updatable[2] as string]
  const reported = (fields: readonly string[]): Pick<Mutant, 'killedBy' | 'notices'> => {
    const isFailure = fields.some((it) => kind.documented.includes(it))
    return isFailure ? { killedBy: [`update-${one}-rest`] } : { killedBy: [], notices: [`update-${one}-rest`] }
  }
  const old = `query Old($id: ID!) { node(id: $id) { id ... on ${one.charAt(0).toUpperCase() + one.slice(1)} { ${updatable.filter((it) => it !== 'settings').join(' ')} } } }`
  const before = async ({ ask }: Tools, id: unknown) => (await ask(old, { id }))['node'] as Data
  const known = (value: Data, other: Data) =>
    Object.fromEntries(Object.entries(value).map(([key, it]) => [key, Object.hasOwn(other, key) ? other[key] : it]))
  return [
    {
      id: `${one}-update-of-another`,
      about: `${update} changes another ${one} and returns what it should.`,
      killedBy: [`update-${one}`, `update-${one}-rest`, ...more.ofUpdate],
      wrap: mutating({
        [update]: async (args, proceed, tools) => ({
          ...(await proceed({ ...args, id: await otherThan(kind, args['id'], tools) })),
          id: args['id'],
        }),
      }),
    },
    {
      id: `${one}-update-of-another-too`,
      about: `${update} changes another ${one} as well.`,
      killedBy: [`update-${one}-rest`],
      wrap: mutating({
        [update]: async (args, proceed, tools) => {
          await proceed({ ...args, id: await otherThan(kind, args['id'], tools) })
          return proceed()
        },
      }),
    },
    ...(kind.remove === undefined ? [] : [updateThatDeletes(kind, kind.remove)]),
    {
      id: `${one}-update-answers-old`,
      about: `${update} returns the old values, and keeps the new ones.`,
      killedBy: [`update-${one}`, ...more.ofUpdate],
      wrap: mutating({
        [update]: async (args, proceed, tools) => {
          const was = await before(tools, args['id'])
          return known(await proceed(), was)
        },
      }),
    },
    {
      id: `${one}-update-not-kept`,
      about: `${update} returns the new values, and keeps the old ones.`,
      killedBy: [`update-${one}`, ...more.ofUpdate],
      wrap: mutating({
        [update]: async (args, proceed, tools) => {
          const was = await before(tools, args['id'])
          const value = await proceed()
          const keep = Object.fromEntries(updatable.filter((it) => it in was).map((it) => [it, was[it]]))
          await proceed({ ...args, node: keep })
          return value
        },
      }),
    },
    {
      id: `${one}-update-not-in-list`,
      about: `${update} changes what node shows, and the list shows the old values.`,
      ...judgedBy(kind, `update-${one}`),
      wrap: stateful(
        () => new Map<unknown, Data>(),
        (first) => ({
          writes: {
            [kind.create]: answeringWith((value, args) => {
              first.set(kind.objectIn(value)['id'], plainOf(nodeArgs(args)))
              return value
            }),
          },
          reads: {
            [kind.rows]: (value) =>
              (value as readonly Data[]).map((row) =>
                kind.withRow(row, (object) => {
                  const kept = { ...plainOf(object), ...first.get(kind.idOfRow(row)) }
                  first.set(kind.idOfRow(row), kept)
                  return known(object, kept)
                }),
              ),
          },
        }),
      ),
    },
    {
      id: `${one}-update-with-new-id`,
      about: `${update} returns an id that is not the one that was sent.`,
      killedBy: [`update-${one}`],
      wrap: mutating({ [update]: answeringWith((value) => ({ ...value, id: `${String(value['id'])}-2` })) }),
    },
    {
      id: `${one}-update-loses`,
      about: `${update} returns what it should, and the ${one} is gone.`,
      killedBy: [`update-${one}`, `update-${one}-rest`, ...more.ofNode],
      wrap: stateful(
        () => new Set<unknown>(),
        (gone) => ({
          writes: {
            [update]: answeringWith((value, { id }) => {
              gone.add(id)
              return value
            }),
          },
          reads: hides(kind, gone, { node: true, list: true }),
        }),
      ),
    },
    {
      id: `${one}-update-of-the-one-before`,
      about: `${update} changes the ${one} that was created before as well.`,
      killedBy: [`update-${one}-rest`],
      wrap: mutating({ [update]: changingNeighbor(kind, -1) }),
    },
    {
      id: `${one}-update-of-the-next`,
      about: `${update} changes the ${one} that was created next as well.`,
      killedBy: [`update-${one}-rest`],
      wrap: mutating({ [update]: changingNeighbor(kind, 1) }),
    },
    {
      id: `${one}-update-empties`,
      about: `${update} empties what it is not sent.`,
      ...reported(updatable),
      wrap: mutating({
        [update]: sending((args) => ({
          ...args,
          node: { ...Object.fromEntries(updatable.map((it) => [it, null])), ...nodeArgs(args) },
        })),
      }),
    },
    ...[first, second].map((field): Mutant => ({
      id: `${one}-update-empties-${field}`,
      about: `${update} empties ${field} where it is not sent.`,
      ...reported([field]),
      wrap: mutating({ [update]: sending((args) => ({ ...args, node: { [field]: null, ...nodeArgs(args) } })) }),
    })),
  ]
}

/** The correct answer of each deletion. */
const answerOf: Readonly<Record<string, (items: readonly unknown[], tools: Tools) => Promise<unknown>>> = {
  deleteSegments: async (items) => items,
  deleteStore: async (items, { ask }) => {
    const account = (await ask('{ account { id stores { id } } }'))['account'] as {
      id: string
      stores: readonly Data[]
    }
    return { id: account.id, stores: account.stores.filter(({ id }) => !items.includes(id)) }
  },
}

const itemsIn = (args: Data) => args['items'] as readonly unknown[]

function ofDeleting(kind: Kind & { readonly remove: string }): readonly Mutant[] {
  const { one, remove } = kind
  const check = remove === 'deleteStore' ? 'delete-store' : 'delete-segments'
  const answer: MutationRule = async (args, _, tools) => answerOf[remove]?.(itemsIn(args), tools)
  const another = (args: Data, tools: Tools) => otherThan(kind, itemsIn(args)[0], tools)
  const gone = (where: { node?: boolean; list?: boolean }) =>
    stateful(
      () => new Set<unknown>(),
      (hidden) => ({
        writes: {
          [remove]: async (args, proceed, tools) => {
            itemsIn(args).forEach((it) => hidden.add(it))
            return answer(args, proceed, tools)
          },
        },
        reads: hides(kind, hidden, where),
      }),
    )
  return [
    {
      id: `${one}-not-deleted`,
      about: `${remove} returns what it should and deletes nothing.`,
      killedBy: [check],
      wrap: mutating({ [remove]: answer }),
    },
    {
      id: `${one}-deleted-from-list-only`,
      about: `node still returns what ${remove} deleted.`,
      killedBy: [check],
      wrap: gone({ list: true }),
    },
    {
      id: `${one}-deleted-from-node-only`,
      about: `The list still shows what ${remove} deleted.`,
      killedBy: [check],
      wrap: gone({ node: true }),
    },
    {
      id: `${one}-another-deleted-too`,
      about: `${remove} deletes another ${one} as well.`,
      killedBy: [check],
      wrap: mutating({
        [remove]: async (args, proceed, tools) => {
          await proceed({ items: [await another(args, tools)] })
          return proceed()
        },
      }),
    },
    ...([-1, 1] as const).map((by): Mutant => ({
      id: `${one}-${by < 0 ? 'one-before' : 'next'}-deleted-too`,
      about: `${remove} deletes the ${one} that was created ${by < 0 ? 'before' : 'next'} as well.`,
      killedBy: [check],
      wrap: mutating({
        [remove]: async (args, proceed, tools) => {
          const id = neighborOf(kind, itemsIn(args)[0], by, tools)
          if (id !== undefined && itemsIn(args).length === 1) await proceed({ items: [id] })
          return proceed()
        },
      }),
    })),
    {
      id: `${one}-another-changed-by-delete`,
      about: `${remove} changes another ${one} as well.`,
      killedBy: [check],
      wrap: mutating({
        [remove]: async (args, proceed, tools) => {
          const changing = `mutation M($id: ID!, $node: ${kind.updateInput}!) { ${kind.update}(id: $id, node: $node) { id } }`
          await tools.ask(changing, {
            id: await another(args, tools),
            node: { [kind.updatable[1] as string]: otherText },
          })
          return proceed()
        },
      }),
    },
    {
      id: `${one}-another-deleted`,
      about: `${remove} deletes another ${one} and returns what it should.`,
      killedBy: [check],
      wrap: mutating({
        [remove]: async (args, proceed, tools) => {
          await proceed({ items: [await another(args, tools)] })
          return answer(args, proceed, tools)
        },
      }),
    },
  ]
}

const isDeletable = (kind: Kind): kind is Kind & { readonly remove: string } => kind.remove !== undefined

export const mutantsOfLifecycles: readonly Mutant[] = [
  ...kinds.flatMap(ofMaking),
  ...kinds.flatMap(ofChanging),
  ...kinds.filter(isDeletable).flatMap(ofDeleting),
]
