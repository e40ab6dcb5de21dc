/** Turns `schema.graphql` into the schema that is served: provenance becomes part of the descriptions. */
import {
  buildASTSchema,
  Kind,
  parse,
  visit,
  type ASTNode,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLSchema,
  type StringValueNode,
  type TypeNode,
} from 'graphql'
import { inherit, provenanceDirectives, provenanceTypes, statedProvenance, type Provenance } from './provenance.js'

export interface ServedSchemaOptions {
  /** Makes input fields optional if it is only assumed that they are required. */
  readonly lenientInputs?: boolean | undefined
  /** Skips the validation, for a schema that is known to be valid. */
  readonly assumeValidSDL?: boolean
}

/** Parses a schema. Throws a GraphQLError if it is not valid SDL. */
export function parseSchema(text: string): DocumentNode {
  return parse(text, { noLocation: false })
}

/**
 * The schema as a client sees it. Introspection shows what the service has, without our directives. The descriptions
 * say what is disputed or assumed.
 */
export function servedSchema(
  document: DocumentNode,
  { lenientInputs = false, assumeValidSDL = false }: ServedSchemaOptions = {},
): GraphQLSchema {
  const definitions = document.definitions.filter((it) => !isProvenance(it))
  const inputs = lenientInputs ? definitions.map(lenient) : definitions
  return buildASTSchema(visit({ ...document, definitions: inputs }, { leave: describe }), { assumeValidSDL })
}

const isProvenance = (node: DefinitionNode): boolean =>
  (node.kind === Kind.DIRECTIVE_DEFINITION && provenanceDirectives.includes(node.name.value)) ||
  (node.kind === Kind.ENUM_TYPE_DEFINITION && provenanceTypes.includes(node.name.value))

function lenient(node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return node
  const ofType = inherit(node, { basis: 'documented' })
  const fields = (node.fields ?? []).map((it) => ({ ...it, type: lenientType(it.type, inherit(it, ofType)) }))
  return { ...node, fields }
}

const lenientType = (type: TypeNode, { basis }: Provenance): TypeNode =>
  type.kind === Kind.NON_NULL_TYPE && basis === 'assumed' ? type.type : type

function describe(node: ASTNode): ASTNode | undefined {
  if (!('directives' in node) || !node.directives) return undefined
  const provenance = statedProvenance(node as Parameters<typeof statedProvenance>[0])
  if (!provenance) return undefined
  const old = 'description' in node ? node.description?.value : undefined
  const value = [old, inWords(provenance)].filter(Boolean).join('\n\n')
  const description: StringValueNode = { kind: Kind.STRING, value, block: true }
  const directives = node.directives.filter((it) => !provenanceDirectives.includes(it.name.value))
  return { ...node, description, directives } as ASTNode
}

function inWords({ basis, part, reason }: Provenance): string {
  if (basis === 'disputed') return `_Disputed:_ ${reason}`
  if (part === 'TYPE') return `_The type is assumed:_ ${reason}`
  if (part === 'NAME') return `_The name of the type is assumed:_ ${reason}`
  return `_Assumed:_ ${reason}`
}
