/** Tells the part of a document that the specification knows from what only the server may know. */
import {
  Kind,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLSchema,
  type NamedTypeNode,
} from 'graphql'
import { withoutLostVariables } from './client-documents.js'

interface Conditioned {
  readonly typeCondition?: NamedTypeNode | undefined
}

/** The document without fields, arguments, directives and types of fragments that a schema does not have. */
export function knownPart(document: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const types = new TypeInfo(schema)
  const isUnknown = ({ typeCondition }: Conditioned) =>
    typeCondition !== undefined && !schema.getType(typeCondition.name.value)
  const unlessUnknown = (node: Conditioned) => (isUnknown(node) ? null : undefined)
  const dropped = new Set(
    document.definitions.flatMap((it) =>
      it.kind === Kind.FRAGMENT_DEFINITION && isUnknown(it) ? [it.name.value] : [],
    ),
  )
  const known = visit(
    document,
    visitWithTypeInfo(types, {
      InlineFragment: unlessUnknown,
      FragmentDefinition: unlessUnknown,
      FragmentSpread: ({ name }) => (dropped.has(name.value) ? null : undefined),
      Field: () => (types.getParentType() && !types.getFieldDef() ? null : undefined),
      Directive: () => (types.getDirective() ? undefined : null),
      Argument: () => (types.getDirective() || types.getArgument() ? undefined : null),
    }),
  )
  return withoutLostVariables(known, document)
}
