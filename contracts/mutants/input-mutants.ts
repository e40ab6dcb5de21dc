/** Servers that ignore one input field, for each field whose value an answer shows. */
import type { Data } from '../../src/contract/check.js'
import type { Mutant } from './mutant.js'
import { mutating, sending } from './mutation-rules.js'

interface Ignored {
  readonly input: string
  readonly mutation: string
  /** The checks that judge each field. */
  readonly judges: readonly string[]
  /** The fields whose meaning is documented. Others get a notice. */
  readonly documented?: readonly string[]
  /** Each field, with the value to send instead if the mock requires one. */
  readonly fields: Readonly<Record<string, unknown>>
  /** More checks that fail for one field. */
  readonly besides?: Readonly<Record<string, readonly string[]>>
}

/** The field is not sent at all. */
const nothing = undefined

/**
 * Without `lang` and `style_id` of StoreInput and `collections_uids` of StoreUpdateInput, which no answer shows, and
 * `shipping_group_uid`, which is shown under another name.
 */
const inputs: readonly Ignored[] = [
  {
    input: 'SegmentInput',
    documented: ['name', 'description'],
    mutation: 'createSegment',
    judges: ['create-segment', 'create-segment-node'],
    fields: { name: nothing, description: nothing, settings: nothing },
    // Without its tag the object cannot be found in the list.
    besides: { name: ['create-segment-list'] },
  },
  {
    input: 'SegmentInput',
    documented: ['name', 'description'],
    mutation: 'updateSegment',
    judges: ['update-segment'],
    fields: { name: nothing, description: nothing, settings: nothing },
    besides: { name: ['mutations-in-order'] },
  },
  {
    input: 'StoreInput',
    documented: ['name'],
    mutation: 'createStore',
    judges: ['create-store', 'create-store-node'],
    fields: { name: 'New Store', slug: '', currency: nothing, single_checkout_page: nothing },
    besides: { name: ['create-store-list'] },
  },
  {
    input: 'StoreUpdateInput',
    mutation: 'updateStore',
    judges: ['update-store'],
    fields: {
      slug: nothing,
      email: nothing,
      legal_name: nothing,
      address: nothing,
      refund_policy: nothing,
      privacy_policy: nothing,
      terms_of_services: nothing,
      single_checkout_page: nothing,
    },
  },
  {
    input: 'InputCustomer',
    mutation: 'createCustomer',
    judges: ['create-customer', 'create-customer-node'],
    fields: {
      email: '',
      phone: '',
      first_name: '',
      last_name: '',
      accepts_marketing: false,
      tags: [],
      shipping_address: nothing,
      billing_address: nothing,
    },
    besides: { first_name: ['create-customer-list'] },
  },
  {
    input: 'InputUpdateCustomer',
    mutation: 'updateCustomer',
    judges: ['update-customer'],
    fields: {
      email: nothing,
      phone: nothing,
      first_name: nothing,
      last_name: nothing,
      accepts_marketing: nothing,
      tags: nothing,
      shipping_address: nothing,
      billing_address: nothing,
      notes: nothing,
    },
  },
]

/** The arguments without a field of the input, or with another value for it. */
function without(args: Data, field: string, instead: unknown): Data {
  const { [field]: given, ...rest } = args['node'] as Data
  if (given === undefined || instead === undefined) return { ...args, node: rest }
  return { ...args, node: { ...rest, [field]: instead } }
}

export const mutantsOfInputs: readonly Mutant[] = inputs.flatMap(
  ({ input, mutation, judges, documented = [], fields, besides }) =>
    Object.entries(fields).map(([field, instead]): Mutant => {
      const isDocumented = documented.includes(field)
      return {
        id: `${mutation}-ignores-${field.replaceAll('_', '-')}`,
        about: `${mutation} ignores ${field} of ${input}.`,
        killedBy: [...(isDocumented ? judges : []), ...(besides?.[field] ?? [])],
        notices: isDocumented ? [] : judges,
        wrap: mutating({ [mutation]: sending((args) => without(args, field, instead)) }),
      }
    }),
)
