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
  readonly kind: string
  /** Root fields. */
  readonly fields: ReadonlySet<string>
  readonly coordinates: ReadonlySet<string>
  /** Where its lists go on: the cursors that it sends. */
  readonly cursors: readonly ValueNode[]
}

const subjects = new WeakMap<object, Subject>()

/** Undefined if the document has no operation to execute. */
export function subjectOf(prepared: PreparedRequest, schema: GraphQLSchema): Subject | undefined {
  const node = prepared.operation?.node
  if (!node) return undefined
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

/** Whether one of the lists goes on after a cursor. */
export const goesOn = ({ cursors }: Subject, variables: Readonly<Record<string, unknown>>): boolean =>
  cursors.some((value) => {
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

function cursorsIn(document: DocumentNode, schema: GraphQLSchema): readonly ValueNode[] {
  const cursors: ValueNode[] = []
  const info = new TypeInfo(schema)
  const visitor = visitWithTypeInfo(info, {
    Argument({ name, value }) {
      const field = info.getFieldDef()
      if (field && listFieldOf(field)?.cursor === name.value) cursors.push(value)
    },
  })
  visit(document, visitor)
  return cursors
}
