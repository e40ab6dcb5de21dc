/** What a server does where the specification is silent, as far as only writing can tell. */
import { assumed, inconclusive, type Check, type Context } from '../../src/contract/check.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { withVariables } from '../../src/contract/operation.js'
import { Rejected } from '../../src/contract/rejection.js'
import { addressOf, ownAddress } from '../support/putting-back.js'
import { writerOf, type Resource } from '../support/resource.js'
import { deleteSegments } from '../segments.js'
import { noteGone } from '../support/shown.js'
import { makeOne, update, workingSubject } from '../support/subjects.js'
import { customerResource } from '../customer-writes.js'
import { segmentResource } from '../segment-writes.js'
import { storeResource } from '../store-writes.js'

export const seenByDeleting: readonly Check[] = [
  {
    id: 'observe-unknown-delete',
    title: 'what a delete does with an identifier that is unknown or deleted',
    basis: assumed('States and transitions of any resource: not shown.'),
    observes: 'unknown_delete',
    writes: 'segments',
    async run(context) {
      const { id } = await makeOne(context, segmentResource)
      const writer = writerOf(context)
      const asked = withVariables(deleteSegments, { items: [id] })
      await writer.change(asked, [id])
      const { body } = await writer.remove(asked, [id])
      await noteGone(context, id)
      return told(context, 'unknown_delete', body.errors?.length ? 'error' : 'pass_over')
    },
  },
]

export const seenByWriting: readonly Check[] = [
  {
    id: 'observe-same-slug',
    title: 'whether two stores can have one slug',
    basis: assumed('Other Store fields: not shown.'),
    observes: 'same_slug',
    writes: 'stores',
    async run(context) {
      // The slug of the first one has been changed since.
      const { input } = await workingSubject(context, storeResource, 'second')
      if (!Object.hasOwn(input, 'slug')) inconclusive('A store takes no slug here.')
      const twin: Resource = {
        ...storeResource,
        marked: (row, mark) => ({ ...storeResource.marked(row, mark), slug: input['slug'] }),
      }
      const refused = await isRefused(makeOne(context, twin))
      return told(context, 'same_slug', refused ? 'error' : 'allow')
    },
  },
  {
    id: 'observe-same-email',
    title: 'whether two customers can have one e-mail address',
    basis: assumed('Customer fields beyond these: not shown.'),
    observes: 'same_email',
    writes: 'customers',
    async run(context) {
      const subject = await workingSubject(context, customerResource)
      if (!(await context.shows('Customer.email'))) inconclusive('The server does not show the e-mail of a customer.')
      const writer = writerOf(context)
      if (!Object.hasOwn(await writer.input('InputUpdateCustomer', { email: '' }), 'email')) {
        inconclusive('A customer takes no e-mail address here.')
      }
      // Never the address of a person: a server may send to it, or take the two for one.
      const other = await workingSubject(context, customerResource, 'second')
      const theirs = await addressOf(context, other.id)
      if (theirs === undefined || oneOf([other.mark])(theirs) === undefined) {
        return inconclusive('There is no other customer of this suite whose e-mail address is of its own.')
      }
      const input = await writer.input('InputUpdateCustomer', { email: theirs })
      // It gives the address back, also where the run dies.
      const lent = { kind: 'addresses', mark: subject.mark }
      const refused = await isRefused(update(context, customerResource, subject, input, lent))
      if (!refused) await update(context, customerResource, subject, { email: ownAddress(subject.mark) })
      return told(context, 'same_email', refused ? 'error' : 'allow')
    },
  },
]

const isRefused = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      // Neither tells what the server would do with what it can and may.
      if (error instanceof Rejected && !error.fault && !error.barred) return true
      throw error
    },
  )

const told = (context: Context, name: 'unknown_delete' | 'same_slug' | 'same_email', seen: string) =>
  context.expected[name] === seen ? `as assumed: ${seen}` : `differs: ${seen}`
