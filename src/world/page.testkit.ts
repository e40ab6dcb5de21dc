/** Pages and positions of a world. */
import type { AnyDefinition, RecordOf, TypeDefinition } from './definition.js'
import { positionOf, type Position } from './derived.js'
import type { Order, Page, Window } from './page.js'
import { keyOf } from './population.js'
import type { World } from './world.js'

/** A page of a world that sorts at once. */
export function pageNow<S extends object, D extends object>(
  world: World,
  type: TypeDefinition<S, D>,
  order: Order,
  window: Window,
): Page<RecordOf<S, D>> {
  const page = world.page(type, order, window)
  if (page instanceof Promise) throw new Error('The page is not ready.')
  return page
}

/** The position of a record in an order. */
export const positionIn = (type: AnyDefinition, { key }: Order, record: RecordOf<object>): Position =>
  positionOf(keyOf(type, key), record)
