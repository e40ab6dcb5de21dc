/** Conforming servers as people run them: other input types, other values for what was not sent, other limits. */
import type { Data } from '../../../src/contract/check.js'
import { rejecting } from '../request-rules.js'
import { mapFields } from '../response-walk.js'
import { lagging } from '../late-reads.js'
import { answeringWith, mutating, sending, type WriteVariant } from '../mutation-rules.js'

const nodeIn = (args: Data) => args['node'] as Data
const withoutNulls = (node: Data): Data =>
  Object.fromEntries(
    Object.entries(node)
      .filter(([, it]) => it !== null)
      .map(([key, it]) => [key, typeof it === 'object' && !Array.isArray(it) ? withoutNulls(it as Data) : it]),
  )
const emptied = (value: unknown): unknown => value ?? ''
const lines = ['line1', 'line2', 'city', 'area', 'first_name', 'last_name', 'zip', 'state', 'email', 'phone', 'country']

export const truthVariants: readonly WriteVariant[] = [
  {
    id: 'store-renamed-by-update',
    about: 'updateStore takes a name.',
    world: { schema: { 'input StoreUpdateInput {': 'input StoreUpdateInput {\n  name: String' } },
  },
  {
    id: 'customer-without-phone',
    about: 'createCustomer takes no phone.',
    world: {
      schema: {
        '  phone: String! @assumed(reason: "The fields of InputCustomer are not shown.")':
          '  birthday: String @assumed(reason: "The fields of InputCustomer are not shown.")',
      },
    },
  },
  {
    id: 'other-scalar',
    about: 'The language of a store is an enum of the server.',
    world: {
      schema: {
        'input StoreInput {': 'enum Language {\n  EN\n  DE\n}\n\ninput StoreInput {\n  language: Language',
      },
    },
  },
  {
    id: 'empty-instead-of-null',
    about: 'An address shows "" where nothing was sent.',
    wrap: mapFields(Object.fromEntries(lines.map((it) => [`Address.${it}`, emptied]))),
  },
  {
    id: 'null-leaves-it',
    about: 'null in an input is the same as no value.',
    wrap: mutating(
      Object.fromEntries(
        ['createCustomer', 'updateCustomer', 'createSegment', 'updateSegment', 'createStore', 'updateStore'].map(
          (it) => [it, sending((args) => ({ ...args, node: withoutNulls(nodeIn(args)) }))],
        ),
      ),
    ),
  },
  {
    id: 'reads-later-than-allowed',
    about: 'Reads show the old state for longer than the run waits.',
    replica: lagging(120),
    run: { consistencyTimeout: 60 },
    open: ['*'],
  },
  {
    id: 'one-root-field',
    about: 'A document may have one root field.',
    wrap: rejecting(({ query }) =>
      (query.match(/\$items|node\(|segments\(|customers\(|account \{/g) ?? []).length > 1 ? 'Too many root fields.' : undefined,
    ),
    open: ['*'],
  },
  {
    id: 'emoji-dropped',
    about: 'The database keeps no emoji.',
    wrap: mutating(
      Object.fromEntries(
        ['createCustomer', 'updateCustomer', 'createSegment', 'updateSegment', 'createStore', 'updateStore'].map(
          (it) => [
            it,
            sending((args) => JSON.parse(JSON.stringify(args).replace(/\p{Extended_Pictographic}/gu, '')) as Data),
          ],
        ),
      ),
    ),
    notices: [],
    open: ['*'],
  },
  {
    id: 'name-not-updatable',
    about: 'updateSegment answers the segment as it was in fields whose meaning is assumed.',
    wrap: mutating({ updateSegment: answeringWith((value) => value) }),
  },
]
