/** From the text of `schema.graphql` to a schema that can be served: marks turned into words of the descriptions. */
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
import { inherit, markAt, markDirectives, markTypes, type Mark } from './provenance.js'

export interface ServedSchemaOptions {
  /** Makes required input fields optional where it is only assumed that they are required. */
  readonly lenientInputs?: boolean
}

/** The text of a schema, parsed. Throws a GraphQLError where it is not valid SDL. */
export function parseSchema(text: string): DocumentNode {
  return parse(text, { noLocation: false })
}

/**
 * The schema as a client sees it. Introspection shows no marks: it shows what the service has, and each description
 * says what in it is disputed or assumed.
 */
export function servedSchema(
  document: DocumentNode,
  { lenientInputs = false }: ServedSchemaOptions = {},
): GraphQLSchema {
  const definitions = document.definitions.filter((it) => !isMarking(it))
  const inputs = lenientInputs ? definitions.map(lenient) : definitions
  return buildASTSchema(visit({ ...document, definitions: inputs }, { leave: withMarkInWords }))
}

/** The directives of the marks, and the types that only they use. */
const isMarking = (node: DefinitionNode): boolean =>
  (node.kind === Kind.DIRECTIVE_DEFINITION && markDirectives.includes(node.name.value)) ||
  (node.kind === Kind.ENUM_TYPE_DEFINITION && markTypes.includes(node.name.value))

function lenient(node: DefinitionNode): DefinitionNode {
  if (node.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) return node
  const mark = inherit(node, { basis: 'documented' })
  const fields = (node.fields ?? []).map((it) => ({ ...it, type: lenientType(it.type, inherit(it, mark)) }))
  return { ...node, fields }
}

const lenientType = (type: TypeNode, mark: Mark): TypeNode =>
  type.kind === Kind.NON_NULL_TYPE && mark.basis === 'assumed' ? type.type : type

function withMarkInWords(node: ASTNode): ASTNode | undefined {
  if (!('directives' in node) || !node.directives) return undefined
  const mark = markAt(node as Parameters<typeof markAt>[0])
  if (!mark) return undefined
  const old = 'description' in node ? node.description?.value : undefined
  const value = [old, inWords(mark)].filter(Boolean).join('\n\n')
  const description: StringValueNode = { kind: Kind.STRING, value, block: true }
  const directives = node.directives.filter((it) => !markDirectives.includes(it.name.value))
  return { ...node, description, directives } as ASTNode
}

function inWords({ basis, part, reason }: Mark): string {
  if (basis === 'disputed') return `_Disputed:_ ${reason}`
  if (part === 'TYPE') return `_The type is assumed:_ ${reason}`
  if (part === 'NAME') return `_The name of the type is assumed:_ ${reason}`
  return `_Assumed:_ ${reason}`
}
