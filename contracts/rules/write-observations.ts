/** Reports what a server does where the specification is silent and only writing can tell. */
import { assumed, inconclusive, type Check, type Context } from '../../src/contract/check.js'
import { withVariables } from '../../src/contract/operation.js'
import { Rejected } from '../../src/contract/rejection.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { addressOf, customerResource, ownAddress } from '../customers.js'
import { deleteSegments, segmentResource } from '../segments.js'
import { storeResource } from '../stores.js'
import { noteGone } from '../support/shown.js'
import { createSubject, update, workingSubject } from '../support/subjects.js'
import { writerOf } from '../support/writer.js'

export const deleteObservations: readonly Check[] = [
  {
    id: 'observe-unknown-delete',
    title: 'A delete MAY reject an unknown or deleted id.',
    basis: assumed('States and transitions of any resource: not shown.'),
    observes: 'unknown_delete',
    writes: 'segments',
    async run(context) {
      const { id } = await createSubject(context, segmentResource)
      const writer = writerOf(context)
      const asked = withVariables(deleteSegments, { items: [id] })
      await writer.change(asked, [id])
      const { body } = await writer.remove(asked, [id])
      await noteGone(context, id)
      return observed(context, 'unknown_delete', body.errors?.length ? 'error' : 'pass_over')
    },
  },
]

export const writeObservations: readonly Check[] = [
  {
    id: 'observe-same-slug',
    title: 'Two stores MAY have the same slug.',
    basis: assumed('Other Store fields: not shown.'),
    observes: 'same_slug',
    writes: 'stores',
    async run(context) {
      // Not the first store, whose slug was changed by an update.
      const { input } = await workingSubject(context, storeResource, 'second')
      if (!Object.hasOwn(input, 'slug')) inconclusive('StoreInput has no slug here.')
      const twin: LifecycleResource = {
        ...storeResource,
        tagged: (row, tag) => ({ ...storeResource.tagged(row, tag), slug: input['slug'] }),
      }
      const rejected = await isRejected(createSubject(context, twin))
      return observed(context, 'same_slug', rejected ? 'error' : 'allow')
    },
  },
  {
    id: 'observe-same-email',
    title: 'Two customers MAY have the same e-mail address.',
    basis: assumed('Customer fields beyond these: not shown.'),
    observes: 'same_email',
    writes: 'customers',
    async run(context) {
      const subject = await workingSubject(context, customerResource)
      if (!(await context.shows('Customer.email'))) inconclusive('The server does not show the e-mail of a customer.')
      const writer = writerOf(context)
      if (!Object.hasOwn(await writer.input('InputUpdateCustomer', { email: '' }), 'email')) {
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
      const input = await writer.input('InputUpdateCustomer', { email })
      const rejected = await isRejected(update(context, customerResource, subject, input, changed))
      if (!rejected) await update(context, customerResource, subject, { email: ownAddress(subject.tag) })
      return observed(context, 'same_email', rejected ? 'error' : 'allow')
    },
  },
]

const isRejected = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      // A server error or a missing permission says nothing about the rule.
      if (error instanceof Rejected && error.reason === 'rejection') return true
      throw error
    },
  )

const observed = (context: Context, name: 'unknown_delete' | 'same_slug' | 'same_email', seen: string) =>
  context.expected[name] === seen ? `as assumed: ${seen}` : `differs: ${seen}`
