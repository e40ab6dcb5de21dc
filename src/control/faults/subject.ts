/** What faults are selected by: the name, kind and fields of an operation. */
import { isAbstractType, type GraphQLSchema } from 'graphql'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import { factsWithoutOperation, type Cursor, type FactsOf, type OperationFacts } from '../requests/facts.js'

export interface Subject {
  readonly operation: string | null
  readonly kind: OperationFacts['kind']
  /** Root fields. */
  readonly fields: ReadonlySet<string>
  readonly coordinates: ReadonlySet<string>
  /** Where its lists go on. */
  readonly cursors: readonly Cursor[]
}

/** Without an operation, a request can only be hit by faults that hit all. */
const withoutOperation = factsWithoutOperation()

/** Returns a function that describes requests, and remembers their operations. */
export function createSubjects(schema: GraphQLSchema, factsOf: FactsOf): (prepared: PreparedRequest) => Subject {
  const subjects = new WeakMap<OperationFacts, Subject>()
  return (prepared) => {
    const facts = factsOf(prepared) ?? withoutOperation
    let subject = subjects.get(facts)
    if (!subject) {
      const { name: operation, kind, fields, coordinates, cursors } = facts
      subject = {
        operation,
        kind,
        fields: new Set(fields),
        coordinates: withConcrete(coordinates, schema),
        cursors,
      }
      subjects.set(facts, subject)
    }
    return subject
  }
}

/** Whether one of these lists goes on after a cursor. */
export const goesOn = (
  { cursors }: Subject,
  variables: Readonly<Record<string, unknown>>,
  lists: ReadonlySet<string>,
): boolean =>
  cursors.some(({ list, variable }) => {
    if (!lists.has(list)) return false
    return variable === null || (Object.hasOwn(variables, variable) && (variables[variable] ?? '') !== '')
  })

/** A field of an interface stands for the same field of all its types. */
const concrete = (coordinate: string, schema: GraphQLSchema): readonly string[] => {
  const [typeName = '', field = ''] = coordinate.split('.')
  const type = schema.getType(typeName)
  return isAbstractType(type) ? schema.getPossibleTypes(type).map(({ name }) => `${name}.${field}`) : []
}

/** With the same fields of concrete types. */
export const withConcrete = (coordinates: Iterable<string>, schema: GraphQLSchema) =>
  new Set([...coordinates].flatMap((it) => [it, ...concrete(it, schema)]))
