/** The kinds of things that the API can make: how one is found again by its mark, and how it is taken away. */
import type { Context } from '../src/contract/check.js'
import type { Entry } from '../src/writing/ledger.js'
import { withVariables, type Operation } from '../src/contract/operation.js'
import type { Undoing, WriteKind } from '../src/writing/write-kind.js'
import { customerListing } from './customers.js'
import { byNode, inAccount, inListing } from './support/finding.js'
import { integrations, removeIntegration } from './integrations.js'
import {
  emptiedLists,
  findPixels,
  giveBackAddress,
  isLent,
  pixelStands,
  restorePixels,
  showsPixel,
} from './support/putting-back.js'
import { deleteSegments, segmentListing } from './segments.js'
import { deleteStore, stores } from './stores.js'

const each = (operation: (entry: Entry) => Operation) =>
  async function* (_session: Context, entries: readonly Entry[]): AsyncGenerator<Undoing> {
    for (const entry of entries) yield { operation: operation(entry), entries: [entry] }
  }

const together = (operation: (ids: readonly string[]) => Operation) =>
  async function* (_session: Context, entries: readonly Entry[]): AsyncGenerator<Undoing> {
    if (entries.length > 0) yield { operation: operation(entries.map(({ id }) => id as string)), entries }
  }

const find = {
  segments: inListing(segmentListing, 'name'),
  stores: inAccount(stores, 'stores', 'name'),
  integrations: inAccount(integrations, 'integrations', 'label'),
  customers: inListing(customerListing, 'full_name'),
}

const customerNode = byNode('Customer', 'full_name', find.customers)

/** Nothing that is made: what a check changes of a customer for a moment. */
const addresses: WriteKind = {
  name: 'addresses',
  find: find.customers,
  reads: customerNode.reads,
  bears: customerNode.bears,
  stands: isLent,
  // Also where it reads as given back: what is read may be late.
  undo: each(giveBackAddress),
}

export const writeKinds: readonly WriteKind[] = [
  {
    name: 'segments',
    find: find.segments,
    ...byNode('Segment', 'name', find.segments),
    undo: together((items) => withVariables(deleteSegments, { items })),
  },
  {
    name: 'stores',
    find: find.stores,
    ...byNode('Store', 'name', find.stores),
    undo: together((items) => withVariables(deleteStore, { items })),
  },
  {
    name: 'integrations',
    find: find.integrations,
    ...byNode('Integration', 'label', find.integrations),
    undo: each(({ id }) => withVariables(removeIntegration, { id })),
  },
  {
    name: 'pixels',
    find: findPixels,
    bears: showsPixel,
    stands: pixelStands,
    undo: restorePixels,
    doubts: emptiedLists,
  },
  { name: 'customers', find: find.customers, ...customerNode },
  addresses,
]

/** The names of what can be allowed to be written. */
export const writable: readonly string[] = writeKinds.filter((it) => it !== addresses).map(({ name }) => name)
