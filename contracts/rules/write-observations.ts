/** What a server does where the specification is silent, as far as only writing can tell. */
import { assumed, cannotTell, type Check, type Session } from '../../src/contract/check.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { withVariables } from '../../src/contract/operation.js'
import { Refused } from '../../src/contract/rejection.js'
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
    async run(session) {
      const { id } = await makeOne(session, segmentResource)
      const writer = writerOf(session)
      const asked = withVariables(deleteSegments, { items: [id] })
      await writer.change(asked, [id])
      const { body } = await writer.remove(asked, [id])
      await noteGone(session, id)
      return told(session, 'unknown_delete', body.errors?.length ? 'error' : 'pass_over')
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
      const writer = writerOf(session)
      if (!Object.hasOwn(await writer.input('InputUpdateCustomer', { email: '' }), 'email')) {
        cannotTell('A customer takes no e-mail address here.')
      }
      // Never the address of a person: a server may send to it, or take the two for one.
      const other = await workingSubject(session, customerResource, 'second')
      const theirs = await addressOf(session, other.id)
      if (theirs === undefined || oneOf([other.mark])(theirs) === undefined) {
        return cannotTell('There is no other customer of this suite whose e-mail address is of its own.')
      }
      const input = await writer.input('InputUpdateCustomer', { email: theirs })
      // It gives the address back, also where the run dies.
      const lent = { kind: 'addresses', mark: subject.mark }
      const refused = await isRefused(update(session, customerResource, subject, input, lent))
      if (!refused) await update(session, customerResource, subject, { email: ownAddress(subject.mark) })
      return told(session, 'same_email', refused ? 'error' : 'allow')
    },
  },
]

const isRefused = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => false,
    (error: unknown) => {
      // Neither tells what the server would do with what it can and may.
      if (error instanceof Refused && !error.fault && !error.barred) return true
      throw error
    },
  )

const told = (session: Session, name: 'unknown_delete' | 'same_slug' | 'same_email', seen: string) =>
  session.expected[name] === seen ? `as assumed: ${seen}` : `differs: ${seen}`
