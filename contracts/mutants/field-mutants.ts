/** Mutants generated from the schema: each documented field missing, null against the schema, or of another type. */
import {
  getNullableType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
  type GraphQLOutputType,
} from 'graphql'
import { operation, type Operation } from '../../src/contract/operation.js'
import { coordinatesOf } from '../../src/schema/coordinates.js'
import { isAssumed } from '../../src/schema/provenance.js'
import { account, pixels } from '../account.js'
import { customer, customers } from '../customers.js'
import { integration, integrations } from '../integrations.js'
import { aliased, anonymous, defaults, fragments, named, typeNames } from '../rules/request-variants.js'
import { segment, segments } from '../segments.js'
import { storeProducts, stores } from '../products.js'
import { store } from '../stores.js'
import { contractShapes } from '../support/shapes.js'
import type { Mutant } from './mutant.js'
import { DROP, mapFields, type AnswerRule } from './response-walk.js'

/** What `directives` does not leave out. */
const keptByDirectives = operation(
  'query Directives { customers(query: "", first: 2) { edges { node { id full_name expenses updated_at } } } }',
)

/**
 * Checks that judge the shape of an answer, with the document they send. A check that first asks another document for
 * an object is inconclusive if that answer is wrong, so it kills only mutants of fields that are new in the second.
 */
const asking: readonly (readonly [check: string, asks: Operation, first?: Operation])[] = [
  ['account-shape', account],
  ['pixels-shape', pixels],
  ['stores-shape', stores],
  ['store-shape', store, stores],
  ['store-products-shape', storeProducts, stores],
  ['integrations-shape', integrations],
  ['integration-shape', integration, integrations],
  ['segments-shape', segments],
  ['segment-shape', segment, segments],
  ['customers-shape', customers],
  ['customer-shape', customer, customers],
  ['aliases', aliased],
  ['fragments', fragments],
  ['type-names', typeNames],
  ['anonymous', anonymous],
  ['directives', keptByDirectives],
  ['variable-defaults', defaults],
  ...named.map((it) => ['operation-names', it] as const),
]

/** The documents of `asking` that are sent before any other. */
export const firstAsked = asking
  .filter(([, , first], at) => first === undefined && asking[at - 1]?.[0] !== asking[at]?.[0])
  .map(([check, { name }]) => ({ check, name }))

/** Killers that `asking` does not say: these two check one customer with a document of many types. */
const exceptions: Readonly<Record<string, readonly string[]>> = { 'Query.node': ['literals', 'node-fragments'] }

const { schema, provenance } = contractShapes()

const usedIn = (operation: Operation | undefined): readonly string[] =>
  operation ? [...coordinatesOf(parse(operation.document), schema)] : []

const judged = asking.map(([check, asks, first]) => ({ check, used: usedIn(asks), usedBefore: usedIn(first) }))

const killersWhere = (holds: (coordinate: string) => boolean): readonly string[] => {
  const killers = judged.filter(({ used, usedBefore }) => used.some(holds) && !usedBefore.some(holds))
  return [...new Set(killers.map(({ check }) => check))]
}

/** The checks that judge a field. */
export const killersOfField = (coordinate: string): readonly string[] => [
  ...killersWhere((it) => it === coordinate),
  ...(exceptions[coordinate] ?? []),
]

/** The checks that judge objects of a type by their fields. */
export const killersOfType = (type: string): readonly string[] => killersWhere((it) => it.startsWith(`${type}.`))

const unlessNull =
  (change: (value: unknown) => unknown): AnswerRule =>
  (value) =>
    value === null ? null : change(value)

/** Values of another type, by scalar; a number for those not listed. */
const ofAnotherScalar: Readonly<Record<string, (value: unknown) => unknown>> = {
  Int: String,
  Float: String,
  Boolean: String,
  IntegrationDetails: (value) => JSON.stringify(value),
}

function ofAnotherType(type: GraphQLOutputType): AnswerRule {
  const nullable = getNullableType(type)
  // Some languages write a list as an object with numbers as keys.
  if (isListType(nullable)) return unlessNull((value) => ({ ...(value as readonly unknown[]) }))
  if (isCompositeType(nullable)) return (value) => [value]
  return unlessNull(ofAnotherScalar[nullable.name] ?? (() => 7))
}

const kebab = (coordinate: string) =>
  coordinate
    .replace(/([a-z])([A-Z])/g, '$1-$2')
    .replace('._', '-number-')
    .replace(/[._]/g, '-')
    .toLowerCase()
    .replace(/-$/, '')

const documentedFields = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .flatMap((type) =>
    Object.values(type.getFields()).map((field) => ({ field, coordinate: `${type.name}.${field.name}` })),
  )
  .filter(({ coordinate }) => provenance.has(coordinate) && !isAssumed(provenance.get(coordinate)))

/** Fields that only mutations answer have mutants of their own. */
export const fieldMutants: readonly Mutant[] = documentedFields
  .filter(({ coordinate }) => killersOfField(coordinate).length > 0)
  .flatMap(({ field, coordinate }) => {
    const [type, name] = coordinate.split('.')
    const mutant = (word: string, says: string, rule: AnswerRule): Mutant => ({
      id: `${kebab(coordinate)}-${word}`,
      about: `\`${name}\` of ${type} ${says}.`,
      killedBy: killersOfField(coordinate),
      wrap: mapFields({ [coordinate]: rule }),
    })
    const mutants = [mutant('dropped', 'is missing', () => DROP)]
    if (provenance.get(coordinate)?.part === 'TYPE') return mutants
    mutants.push(mutant('of-another-kind', 'is of another type', ofAnotherType(field.type)))
    if (isNonNullType(field.type)) mutants.push(mutant('null', 'is null', () => null))
    return mutants
  })
