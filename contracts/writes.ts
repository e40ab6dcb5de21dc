/** The kinds of things that the API can make: how one is found again by its mark, and how it is taken away. */
import type { Session } from '../src/contract/check.js'
import type { Entry } from '../src/contract/ledger.js'
import { withVariables, type Operation } from '../src/contract/operation.js'
import type { Undoing, WriteKind } from '../src/contract/write-kind.js'
import { customerListing } from './customers.js'
import { byNode, inAccount, inListing } from './finding.js'
import { integrations, removeIntegration } from './integrations.js'
import { findPixels, giveBackAddresses, restorePixels } from './putting-back.js'
import { deleteSegments, segmentListing } from './segments.js'
import { deleteStore, stores } from './stores.js'

const each =
  (operation: (id: string) => Operation) =>
  async (_session: Session, entries: readonly Entry[]): Promise<readonly Undoing[]> =>
    entries.map((entry) => ({ operation: operation(entry.id as string), entries: [entry] }))

const together =
  (operation: (ids: readonly string[]) => Operation) =>
  async (_session: Session, entries: readonly Entry[]): Promise<readonly Undoing[]> =>
    entries.length === 0 ? [] : [{ operation: operation(entries.map(({ id }) => id as string)), entries }]

/** Nothing that is made: what a check changes of a customer for a moment. */
const addresses: WriteKind = {
  name: 'addresses',
  find: inListing(customerListing, 'full_name'),
  undo: giveBackAddresses,
}

export const writeKinds: readonly WriteKind[] = [
  {
    name: 'segments',
    find: inListing(segmentListing, 'name'),
    bears: byNode('Segment', 'name'),
    undo: together((items) => withVariables(deleteSegments, { items })),
  },
  {
    name: 'stores',
    find: inAccount(stores, 'stores', 'name'),
    bears: byNode('Store', 'name'),
    undo: together((items) => withVariables(deleteStore, { items })),
  },
  {
    name: 'integrations',
    find: inAccount(integrations, 'integrations', 'label'),
    bears: byNode('Integration', 'label'),
    undo: each((id) => withVariables(removeIntegration, { id })),
  },
  { name: 'pixels', find: findPixels, undo: restorePixels },
  { name: 'customers', find: inListing(customerListing, 'full_name'), bears: byNode('Customer', 'full_name') },
  addresses,
]

/** The names of what can be allowed to be written. */
export const writable: readonly string[] = writeKinds.filter((it) => it !== addresses).map(({ name }) => name)
