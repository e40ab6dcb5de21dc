/** The query `node(id)`. Products have an identifier, but do not implement Node. */
import { serviceError } from '../src/shared/service-error.js'
import { quote } from '../src/shared/quote.js'
import type { Context } from './context.js'
import { products } from './products.js'

export const nodeResolvers = {
  Query: {
    node(_: unknown, { id }: { id: string }, { world, profile }: Context) {
      const record = world.find(id)
      if (record && record.__typename !== products.name) return record
      if (profile.unknown_node === 'null') return null
      throw serviceError('NOT_FOUND', `There is no object with the id ${quote(id)}.`, 'errors_node_not_found')
    },
  },
}
