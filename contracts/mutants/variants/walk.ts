/** Conforming servers whose walks repeat or skip elements if the list changes, which is a notice, or whose order is their own. */
import type { Target } from '../../../src/client/target.js'
import { listingProxy, type ListingRules } from '../listing-proxy.js'
import { rejecting } from '../request-rules.js'
import { layered, type Wrap } from '../mutant.js'
import { walkWhileWritten } from '../../rules/walk-under-writes.js'
import { mutationsIn, type WriteVariant } from '../mutation-rules.js'

const ofSegments = (rules: ListingRules): Wrap => listingProxy(rules, ['segments'])

/** Cursors are offsets. */
const byOffset = ofSegments({
  cursor: (element, { rows }) => String(rows.indexOf(element) + 1),
  start: ({ after }) => Number(after ?? 0),
})

const unordered = rejecting(({ variables = {} }) =>
  Object.values(variables).some((it) => String(it).includes('order_by')) ? 'Unknown filter.' : undefined,
)

/** Pages after a cursor are from a second world, without the deletes. */
const deafToDeletes = (target: Target, replica: Target): Target => ({
  ...target,
  async send(request, options) {
    const names = mutationsIn(request.query).map(({ name }) => name)
    if (names.length > 0 && !names.includes('deleteSegments')) await replica.send(request)
    const later = request.query.includes('segments(') && request.variables?.['after'] !== undefined
    return (later ? replica : target).send(request, options)
  },
})

/** Whether the element of the cursor is deleted. */
const isLost = (after: string | undefined, usual: number) => after !== undefined && usual === 0

const notices = [walkWhileWritten.id]

export const walkVariants: readonly WriteVariant[] = [
  {
    id: 'walk-by-offset',
    about: 'Cursors of segments are offsets: after a create, the next page repeats an element.',
    wrap: byOffset,
    notices,
  },
  {
    id: 'walk-by-offset-unordered',
    about: 'Cursors of segments are offsets: after a delete, the next page skips an element. No order is accepted.',
    wrap: layered(byOffset, unordered),
    notices,
  },
  {
    id: 'deleted-on-later-pages',
    about: 'Only the first page of segments is without deleted ones.',
    replica: deafToDeletes,
    notices,
  },
  {
    id: 'deleted-cursor-rejected',
    about: 'The cursor of a deleted segment is an error.',
    wrap: ofSegments({}),
    notices,
  },
  {
    id: 'deleted-cursor-starts-over',
    about: 'The cursor of a deleted segment starts the list over.',
    wrap: ofSegments({ start: (_, __, usual) => usual }),
    notices,
  },
  {
    id: 'deleted-cursor-ends',
    about: 'Nothing follows the cursor of a deleted segment.',
    wrap: ofSegments({ start: ({ after }, rows, usual) => (isLost(after, usual) ? rows.length : usual) }),
    notices,
  },
  {
    id: 'own-order',
    about: 'No order is accepted, and the list is long.',
    world: { counts: { segments: 200 } },
    wrap: unordered,
  },
  {
    id: 'own-order-newest-first',
    about: 'No order is accepted, and the newest come first.',
    world: { profile: { default_order: 'order_by:_id order_dir:desc' } },
    wrap: unordered,
  },
]
