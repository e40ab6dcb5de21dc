/** What is known of each schema coordinate: documented (no mark), disputed, or assumed, in whole or in part. */
import { Kind, valueFromASTUntyped, type ConstDirectiveNode, type DefinitionNode, type DocumentNode } from 'graphql'

export interface Mark {
  readonly basis: 'documented' | 'disputed' | 'assumed'
  /** Why, where it is not documented. */
  readonly reason?: string
  /** Where only this part is assumed and the rest is documented: the type of a field, or the name of a type. */
  readonly part?: 'TYPE' | 'NAME'
}

/** The directives that carry marks, and the types that only they use. None of them is part of the service. */
export const markDirectives: readonly string[] = ['assumed', 'disputed']
export const markTypes: readonly string[] = ['AssumedPart']

/** Whether a coordinate is assumed as a whole, and not only in a part. */
export const isAssumed = (mark: Mark | undefined): boolean => mark?.basis === 'assumed' && mark.part === undefined

const documented: Mark = { basis: 'documented' }

interface Marked {
  readonly directives?: readonly ConstDirectiveNode[] | undefined
}

/** The mark that stands at a declaration itself, if one does. */
export function markAt(node: Marked): Mark | undefined {
  const directive = node.directives?.find((it) => markDirectives.includes(it.name.value))
  if (!directive) return undefined
  const values = Object.fromEntries(
    (directive.arguments ?? []).map((it) => [it.name.value, valueFromASTUntyped(it.value)]),
  )
  return { basis: directive.name.value, ...values } as Mark
}

/** The mark of a member: its own, or that of what it belongs to unless that covers a part only. */
export function inherit(node: Marked, parent: Mark): Mark {
  return markAt(node) ?? (parent.part ? documented : parent)
}

/**
 * The marks of all coordinates of a schema text: types (`Customer`), fields and input fields (`Customer.id`), arguments
 * (`Query.customers(first:)`) and enum values (`SegmentOperator.AND`).
 */
export function marksOf(document: DocumentNode): ReadonlyMap<string, Mark> {
  const marks = new Map<string, Mark>()
  for (const type of document.definitions.filter(isType)) {
    const name = type.name.value
    const mark = inherit(type, documented)
    marks.set(name, mark)
    for (const value of ('values' in type && type.values) || [])
      marks.set(`${name}.${value.name.value}`, inherit(value, mark))
    for (const field of ('fields' in type && type.fields) || []) {
      const fieldMark = inherit(field, mark)
      marks.set(`${name}.${field.name.value}`, fieldMark)
      for (const argument of ('arguments' in field && field.arguments) || []) {
        marks.set(`${name}.${field.name.value}(${argument.name.value}:)`, inherit(argument, fieldMark))
      }
    }
  }
  return marks
}

const typeKinds: readonly string[] = [
  Kind.OBJECT_TYPE_DEFINITION,
  Kind.INTERFACE_TYPE_DEFINITION,
  Kind.UNION_TYPE_DEFINITION,
  Kind.SCALAR_TYPE_DEFINITION,
  Kind.ENUM_TYPE_DEFINITION,
  Kind.INPUT_OBJECT_TYPE_DEFINITION,
]

type TypeDefinitionNode = Extract<DefinitionNode, { kind: `${string}TypeDefinition` }>

const isType = (node: DefinitionNode): node is TypeDefinitionNode =>
  typeKinds.includes(node.kind) && !markTypes.includes((node as TypeDefinitionNode).name.value)
