/** Tells the part of a document that the specification knows from what only the server may know. */
import { isObjectType, TypeInfo, visit, visitWithTypeInfo, type DocumentNode, type NamedTypeNode } from 'graphql'
import { withoutLostVariables } from './client-documents.js'
import type { Shapes } from './shape.js'

export interface KnownPart {
  /** Unknown fields without their arguments and selections. The same document if all of it is known. */
  readonly document: DocumentNode
  /** Judge that document: an unknown field may have any value. */
  readonly shapes: Shapes
  /** Unknown types of fragments. What an object of such a type has cannot be judged. */
  readonly unknownTypes: readonly string[]
}

const anything = 'NotSpecified_'

export function knownPart(document: DocumentNode, shapes: Shapes): KnownPart {
  const { schema } = shapes
  const types = new TypeInfo(schema)
  const extensions = new Set<string>()
  const unknownTypes = new Set<string>()
  let changed = false
  const drop = () => {
    changed = true
    return null
  }
  const unlessKnown = ({ typeCondition }: { readonly typeCondition?: NamedTypeNode | undefined }) => {
    const name = typeCondition?.name.value
    if (name === undefined || schema.getType(name)) return undefined
    unknownTypes.add(name)
    return drop()
  }
  const known = visit(
    document,
    visitWithTypeInfo(types, {
      InlineFragment: unlessKnown,
      FragmentDefinition: unlessKnown,
      FragmentSpread: ({ name }) => {
        const fragment = document.definitions.find(
          (it) => it.kind === 'FragmentDefinition' && it.name.value === name.value,
        )
        return fragment?.kind === 'FragmentDefinition' ? unlessKnown(fragment) : undefined
      },
      Field(node) {
        const parent = types.getParentType()
        if (!isObjectType(parent) || types.getFieldDef()) return undefined
        changed = true
        extensions.add(`extend type ${parent.name} { ${node.name.value}: ${anything} }`)
        return { ...node, arguments: [], directives: [], selectionSet: undefined }
      },
      Directive: () => (types.getDirective() ? undefined : drop()),
      Argument: () => (types.getFieldDef() && !types.getDirective() && !types.getArgument() ? drop() : undefined),
    }),
  )
  if (!changed) return { document, shapes, unknownTypes: [] }
  return {
    document: withoutLostVariables(known, document),
    shapes: shapes.extended(`scalar ${anything}\n${[...extensions].join('\n')}`),
    unknownTypes: [...unknownTypes],
  }
}
