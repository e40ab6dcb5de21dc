/** Assumed fields: they are requested if the server has them, and a difference is a notice. */
import { assumed, inconclusive, type Check } from '../../src/contract/check.js'
import { operation, type Operation } from '../../src/contract/operation.js'
import { everything, selectionOf } from '../../src/contract/selection.js'
import { isAssumed } from '../../src/schema/provenance.js'
import { objectsOf } from '../support/samples.js'
import { customers } from '../customers.js'
import { segments } from '../segments.js'
import { stores } from '../products.js'

/** A document with FIELDS in place of the selection, and ID of an object that the operation lists. */
const places: readonly (readonly [type: string, document: string, source?: Operation])[] = [
  ['Account', 'account { FIELDS }'],
  ['Store', 'node(id: ID) { ... on Store { FIELDS } }', stores],
  ['Product', 'node(id: ID) { ... on Store { products { FIELDS } } }', stores],
  ['Segment', 'node(id: ID) { ... on Segment { FIELDS } }', segments],
  ['Customer', 'node(id: ID) { ... on Customer { FIELDS } }', customers],
  ['PageInfo', 'customers(query: "", first: 1) { pageInfo { FIELDS } }'],
]

export const assumedFieldChecks: readonly Check[] = places.map(([type, document, source]) => ({
  id: `${type.replace(/\B[A-Z]/g, (it) => `-${it}`).toLowerCase()}-assumed-fields`,
  title: `The undocumented fields of ${type} SHOULD have the assumed types.`,
  basis: assumed(`Other fields of ${type} are not shown.`),
  async run(context) {
    const [one] = source ? await objectsOf(context, source) : []
    const { shapes } = context
    // If the server lacks one of them, the check is skipped.
    const fields = await selectionOf({ shapes, shows: async () => true }, type, ({ name }) =>
      isAssumed(shapes.provenance.get(`${type}.${name}`)) ? everything() : undefined,
    )
    const asked = document.replace('ID', JSON.stringify(one?.['id'])).replace('FIELDS', fields)
    const data = await context.ask(operation(`query Assumed { ${asked} }`))
    if (Object.values(data).every((it) => it === null)) inconclusive('The server returns null there.')
  },
}))
