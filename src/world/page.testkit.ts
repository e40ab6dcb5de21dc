/** A page of a world that sorts at once. */
import type { RecordOf, TypeDefinition } from './definition.js'
import type { Order, Page, Window } from './page.js'
import type { World } from './world.js'

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
