/** What faults are selected by: the name, kind and fields of an operation. */
import {
  isAbstractType,
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type ValueNode,
} from 'graphql'
import { coordinatesOf } from '../../schema/coordinates.js'
import type { PreparedRequest } from '../../server/graphql/engine.js'
import { ownDocument } from '../own-document.js'
import { listFieldOf } from './lists.js'

export interface Subject {
  readonly operation: string | undefined
  readonly kind: string | undefined
  /** Root fields. */
  readonly fields: ReadonlySet<string>
  readonly coordinates: ReadonlySet<string>
  /** Where its lists go on: the cursors that it sends. */
  readonly cursors: readonly Cursor[]
}

interface Cursor {
  /** The coordinate of the list. */
  readonly list: string
  readonly value: ValueNode
}

/** Without an operation, a request can only be hit by faults that hit all. */
const noOperation: Subject = {
  operation: undefined,
  kind: undefined,
  fields: new Set(),
  coordinates: new Set(),
  cursors: [],
}

/** Returns a function that describes requests, and remembers their operations. */
export function createSubjects(schema: GraphQLSchema): (prepared: PreparedRequest) => Subject {
  const subjects = new WeakMap<object, Subject>()
  return (prepared) => {
    const node = prepared.operation?.node
    if (!node) return noOperation
    let subject = subjects.get(node)
    if (!subject) {
      const document = ownDocument(prepared) as DocumentNode
      const coordinates = withConcrete(coordinatesOf(document, schema), schema)
      const root = schema.getRootType(node.operation)?.name
      const fields = [...coordinates].flatMap((it) => (it.startsWith(`${root}.`) ? [it.slice(`${root}.`.length)] : []))
      subject = {
        operation: node.name?.value,
        kind: node.operation,
        fields: new Set(fields),
        coordinates,
        cursors: cursorsIn(document, schema),
      }
      subjects.set(node, subject)
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
  cursors.some(({ list, value }) => {
    if (!lists.has(list)) return false
    const name = value.kind === Kind.VARIABLE ? value.name.value : undefined
    if (name !== undefined) return Object.hasOwn(variables, name) && (variables[name] ?? '') !== ''
    return value.kind === Kind.STRING && value.value !== ''
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

function cursorsIn(document: DocumentNode, schema: GraphQLSchema): readonly Cursor[] {
  const cursors: Cursor[] = []
  const info = new TypeInfo(schema)
  const visitor = visitWithTypeInfo(info, {
    Argument({ name, value }) {
      const [field, parent] = [info.getFieldDef(), info.getParentType()]
      if (field && parent && listFieldOf(field)?.cursor === name.value)
        cursors.push({ list: `${parent.name}.${field.name}`, value })
    },
  })
  visit(document, visitor)
  return cursors
}
