/** Servers whose walks go astray once the list has changed, which nothing forbids: a notice; and such as have an order of their own. */
import type { Target } from '../../src/client/target.js'
import { listingProxy, type ListingRules } from './listing-proxy.js'
import { rejecting } from './request-rules.js'
import { layered, type Wrap } from './mutant.js'
import { walkWhileWritten } from '../rules/walk-under-writes.js'
import { mutationsIn, type WriteVariant } from './mutation-rules.js'

const ofSegments = (rules: ListingRules): Wrap => listingProxy(rules, ['segments'])

/** A cursor says how many elements lie before. */
const byOffset = ofSegments({
  cursor: (element, { rows }) => String(rows.indexOf(element) + 1),
  start: ({ after }) => Number(after ?? 0),
})

const unordered = rejecting(({ variables = {} }) =>
  Object.values(variables).some((it) => String(it).includes('order_by')) ? 'There is no such filter.' : undefined,
)

/** What follows a cursor comes from a second world, which hears of no delete. */
const deafToDeletes = (target: Target, replica: Target): Target => ({
  ...target,
  async send(request, options) {
    const names = mutationsIn(request.query).map(({ name }) => name)
    if (names.length > 0 && !names.includes('deleteSegments')) await replica.send(request)
    const later = request.query.includes('segments(') && request.variables?.['after'] !== undefined
    return (later ? replica : target).send(request, options)
  },
})

/** Whether the element under a cursor is there no more. */
const isLost = (after: string | undefined, usual: number) => after !== undefined && usual === 0

const notices = [walkWhileWritten.id]

export const walkVariants: readonly WriteVariant[] = [
  {
    id: 'walk-by-offset',
    about: 'A cursor of segments counts, so that a new one in front has the last one of a page shown again.',
    wrap: byOffset,
    notices,
  },
  {
    id: 'walk-by-offset-unordered',
    about:
      'A cursor of segments counts, so that one is left out when one behind it is deleted; no order can be asked for.',
    wrap: layered(byOffset, unordered),
    notices,
  },
  {
    id: 'deleted-on-later-pages',
    about: 'All pages of segments but the first still show what was deleted.',
    replica: deafToDeletes,
    notices,
  },
  {
    id: 'deleted-cursor-refused',
    about: 'A cursor is worth nothing once its segment is deleted.',
    wrap: ofSegments({}),
    notices,
  },
  {
    id: 'deleted-cursor-starts-over',
    about: 'The cursor of a deleted segment starts from the beginning.',
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
    about: 'No order can be asked for, and the list is long.',
    world: { counts: { segments: 200 } },
    wrap: unordered,
  },
  {
    id: 'own-order-newest-first',
    about: 'No order can be asked for, and what was made last comes first.',
    world: { profile: { default_order: 'order_by:_id order_dir:desc' } },
    wrap: unordered,
  },
]
