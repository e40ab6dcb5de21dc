/** The provenance of each schema coordinate: documented, disputed or assumed, as a whole or in part. */
import { valueFromASTUntyped, type ConstDirectiveNode, type DefinitionNode, type DocumentNode } from 'graphql'

export interface Provenance {
  readonly basis: 'documented' | 'disputed' | 'assumed'
  /** Why it is not documented. */
  readonly reason?: string
  /** The only part that is assumed: the type of a field, or the name of a type. */
  readonly part?: 'TYPE' | 'NAME'
}

/** The directives that state provenance, and the types that only they use. They are not part of the service. */
export const provenanceDirectives: readonly string[] = ['assumed', 'disputed']
export const provenanceTypes: readonly string[] = ['AssumedPart']

/** Whether a coordinate is assumed as a whole, not only in part. */
export const isAssumed = (provenance: Provenance | undefined): boolean =>
  provenance?.basis === 'assumed' && provenance.part === undefined

const documented: Provenance = { basis: 'documented' }

interface Annotated {
  readonly directives?: readonly ConstDirectiveNode[] | undefined
}

/** The provenance that a declaration states itself. */
export function statedProvenance(node: Annotated): Provenance | undefined {
  const directive = node.directives?.find((it) => provenanceDirectives.includes(it.name.value))
  if (!directive) return undefined
  const values = (directive.arguments ?? []).map((it) => [it.name.value, valueFromASTUntyped(it.value)])
  return { basis: directive.name.value, ...Object.fromEntries(values) } as Provenance
}

/** The provenance of a member: its own, or that of its parent unless that covers only a part. */
export function inherit(node: Annotated, parent: Provenance): Provenance {
  return statedProvenance(node) ?? (parent.part ? documented : parent)
}

/**
 * The provenance of all coordinates of a schema: types (`Customer`), fields and input fields (`Customer.id`), arguments
 * (`Query.customers(first:)`) and enum values (`SegmentOperator.AND`).
 */
export function provenanceOf(document: DocumentNode): ReadonlyMap<string, Provenance> {
  const found = new Map<string, Provenance>()
  for (const type of document.definitions.filter(isType)) {
    const name = type.name.value
    const ofType = inherit(type, documented)
    found.set(name, ofType)
    for (const value of ('values' in type && type.values) || [])
      found.set(`${name}.${value.name.value}`, inherit(value, ofType))
    for (const field of ('fields' in type && type.fields) || []) {
      const ofField = inherit(field, ofType)
      found.set(`${name}.${field.name.value}`, ofField)
      for (const argument of ('arguments' in field && field.arguments) || []) {
        found.set(`${name}.${field.name.value}(${argument.name.value}:)`, inherit(argument, ofField))
      }
    }
  }
  return found
}

type TypeDefinitionNode = Extract<DefinitionNode, { kind: `${string}TypeDefinition` }>

const isType = (node: DefinitionNode): node is TypeDefinitionNode =>
  node.kind.endsWith('TypeDefinition') && !provenanceTypes.includes((node as TypeDefinitionNode).name.value)
