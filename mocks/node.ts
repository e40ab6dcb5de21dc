/** `node(id)`: any object that the interface Node has. Products have an identifier, but are no nodes. */
import { serviceError } from '../src/shared/service-error.js'
import { quote } from '../src/shared/quote.js'
import type { Context } from './context.js'
import { products } from './products.js'

export const nodeResolvers = {
  Query: {
    node(_: unknown, { id }: { id: string }, { world, profile }: Context) {
      const record = world.find(id)
      if (record && record.$ref.typeName !== products.name) return record
      if (profile.unknown_node === 'null') return null
      throw serviceError('NOT_FOUND', `There is no object with the id ${quote(id)}.`, 'errors_node_not_found')
    },
  },
}
