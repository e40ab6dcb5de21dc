/** The mock with one field of an input ignored, for each field whose value some answer shows. */
import type { Mutant } from './mutant.js'
import { mutating, sending, type Data } from './mutation-rules.js'

interface Ignored {
  readonly input: string
  readonly mutation: string
  /** The checks that fail where a field is ignored; of a create, unless said otherwise. */
  readonly fails: readonly string[]
  /** Each field, with what stands there instead where the mock demands something. */
  readonly fields: Readonly<Record<string, unknown>>
  /** Other checks that fail for one field besides. */
  readonly besides?: Readonly<Record<string, readonly string[]>>
}

/** The mock is not sent the field at all. */
const nothing = undefined

/**
 * Not among them, because no answer shows them: `lang` and `style_id` of StoreInput, `collections_uids` of
 * StoreUpdateInput. `shipping_group_uid` is shown under another name, which nobody can know.
 */
const inputs: readonly Ignored[] = [
  {
    input: 'SegmentInput',
    mutation: 'createSegment',
    fails: ['create-segment', 'create-segment-node'],
    fields: { name: nothing, description: nothing, settings: nothing },
    // Without its mark nothing says that the object is ours.
    besides: { name: ['create-segment-list'] },
  },
  {
    input: 'SegmentInput',
    mutation: 'updateSegment',
    fails: ['update-segment'],
    fields: { name: nothing, description: nothing, settings: nothing },
    besides: { name: ['mutations-in-order'] },
  },
  {
    input: 'StoreInput',
    mutation: 'createStore',
    fails: ['create-store', 'create-store-node'],
    fields: { name: 'New Store', slug: '', currency: nothing, single_checkout_page: nothing },
    besides: { name: ['create-store-list'] },
  },
  {
    input: 'StoreUpdateInput',
    mutation: 'updateStore',
    fails: ['update-store'],
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
    fails: ['create-customer', 'create-customer-node'],
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
    fails: ['update-customer'],
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

/** The arguments without a field of the input, or with another value in it. */
function without(args: Data, field: string, instead: unknown): Data {
  const { [field]: given, ...rest } = args['node'] as Data
  if (given === undefined || instead === undefined) return { ...args, node: rest }
  return { ...args, node: { ...rest, [field]: instead } }
}

export const mutantsOfInputs: readonly Mutant[] = inputs.flatMap(({ input, mutation, fails, fields, besides }) =>
  Object.entries(fields).map(([field, instead]): Mutant => ({
    id: `${mutation}-ignores-${field.replaceAll('_', '-')}`,
    breaks: `${mutation} ignores ${field} of ${input}.`,
    fails: [...fails, ...(besides?.[field] ?? [])],
    wrap: mutating({ [mutation]: sending((args) => without(args, field, instead)) }),
  })),
)
