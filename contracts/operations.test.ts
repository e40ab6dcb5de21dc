/** The operations use each documented field and no assumed one. */
import { buildASTSchema, isInterfaceType, isObjectType, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { ownPackage } from '../src/shared/package.js'
import { operation, type Operation } from '../src/contract/operation.js'
import { coordinatesOf as coordinatesIn } from '../src/schema/coordinates.js'
import { parseSchema } from '../src/schema/load.js'
import { isAssumed as assumedAsAWhole, provenanceOf } from '../src/schema/provenance.js'
import * as accounts from './account.js'
import * as customers from './customers.js'
import * as integrations from './integrations.js'
import * as products from './products.js'
import * as segments from './segments.js'
import * as stores from './stores.js'
import * as others from './operations.testkit.js'

const operations = Object.values({
  ...accounts,
  ...customers,
  ...integrations,
  ...products,
  ...segments,
  ...stores,
  ...others,
}).filter((it): it is Operation => typeof it === 'object' && 'document' in it)

const definitions = parseSchema(ownPackage().schema)
const schema = buildASTSchema(definitions)
const provenance = provenanceOf(definitions)

const isAssumed = (coordinate: string) => assumedAsAWhole(provenance.get(coordinate))

const coordinatesOf = ({ document }: Operation) => coordinatesIn(parse(document), schema)

const used = new Set(operations.flatMap((it) => [...coordinatesOf(it)]))

describe.each(operations)('$name', (it) => {
  test('is a valid document of the schema', () => {
    expect(validate(schema, parse(it.document))).toEqual([])
  })

  test('uses nothing assumed', () => {
    expect([...coordinatesOf(it)].filter(isAssumed)).toEqual([])
  })
})

test('assumed fields and arguments are found', () => {
  const document = 'query ($f: String) { customers(query: "") { edges { node { email created_at(format: $f) } } } }'
  const touched = coordinatesOf(operation(document))
  expect([...touched].filter(isAssumed)).toEqual(['Customer.email', 'Customer.created_at(format:)'])
})

test('no two operations share a name', () => {
  const names = operations.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)])
  expect(names).not.toContain('')
})

test.each(['Store', 'Segment', 'Customer', 'Integration'])('some operation reads a %s by node', (typeName) => {
  const asked = operations.some(
    ({ document }) => document.includes('node(id:') && document.includes(`on ${typeName} {`),
  )
  expect(asked).toBe(true)
})

const isOutput = (coordinate: string) => {
  const type = schema.getType(coordinate.split('.')[0] as string)
  return coordinate.includes('.') && (isObjectType(type) || isInterfaceType(type))
}

test('every documented field and argument is used by some operation', () => {
  const documented = [...provenance.keys()].filter((it) => isOutput(it) && !isAssumed(it))
  expect(documented.length).toBeGreaterThan(60)
  expect(documented.filter((it) => !used.has(it))).toEqual([])
})
