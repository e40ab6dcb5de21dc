/** Makes checks from the documents of a front end: each operation must be valid and answered in its shape. */
import {
  FieldsOnCorrectTypeRule,
  GraphQLError,
  Kind,
  KnownArgumentNamesRule,
  KnownDirectivesRule,
  KnownTypeNamesRule,
  Lexer,
  OperationTypeNode,
  OverlappingFieldsCanBeMergedRule,
  parse,
  print,
  Source,
  specifiedRules,
  TokenKind,
  validate,
  type DocumentNode,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { isObject } from '../shared/json.js'
import { documented, fail, inconclusive, skip, type Check } from './check.js'
import { asSent, compilerDirective, fragmentsOf, type DocumentFile } from './client-documents.js'
import { judged } from './judge.js'
import { operation, type Operation } from './operation.js'
import type { Shapes } from './shape.js'

/**
 * A document of a front end.
 * @example { path: 'src/segments.graphql', text: 'query Segments { … }', variables: { first: 10 } }
 */
export interface DocumentSource {
  /** The path shown to people. `#import` lines in the text are relative to it. */
  readonly path: string
  readonly text: string
  /** The line of the file on which the text begins, from 1. */
  readonly line?: number | undefined
  /** Variables by operation name, or the variables themselves if there is one operation. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

/** What exists. The server may know more than the specification, so it decides. */
const rulesOfExistence = [FieldsOnCorrectTypeRule, KnownArgumentNamesRule, KnownDirectivesRule, KnownTypeNamesRule]
const otherRules = specifiedRules.filter((it) => !rulesOfExistence.includes(it))

/** A mistake in a document, whatever else the server knows. */
function certainMistake(schema: GraphQLSchema, document: DocumentNode): GraphQLError | undefined {
  const lacksTypes = validate(schema, document, [KnownTypeNamesRule]).length > 0
  // Fields of two object types may share a name, and an unknown type may be one.
  const rules = lacksTypes ? otherRules.filter((it) => it !== OverlappingFieldsCanBeMergedRule) : otherRules
  return validate(schema, document, rules)[0]
}

const basis = documented('schema.graphql: what a document may ask, and the shape that its answer has.')

/** Throws an Error that names the file if one cannot be parsed. */
export function documentChecks(sources: readonly DocumentSource[], shapes: Shapes): readonly Check[] {
  const files = sources.map((source) => ({ ...source, document: parsed(source) }))
  const ids = new Map<string, number>()
  return files.flatMap((file) => {
    const operations = file.document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
    return operations.map((it): Check => {
      const name = it.name?.value ?? ''
      const called = name === '' ? file.path : `${name} in ${file.path}`
      return {
        id: unique(ids, slug(`document-${name || file.path}`)),
        title: `${called} MUST be valid, and the response MUST have its shape.`,
        basis,
        at: name || file.path,
        asksOnce: true,
        async run(context) {
          const document = readyToSend(it, file, files)
          if (document === undefined) return skip('All its fields are local to the client.')
          const [mistake] = validate(shapes.schema, document)
          const error = mistake && certainMistake(shapes.schema, document)
          if (error) return fail(`${called} is not valid${placeOf(error)}: ${error.message}`, [])
          if (it.operation !== OperationTypeNode.QUERY) return skip(`It is a ${it.operation}, which is never sent.`)
          const variables = variablesOf(file, name, operations.length)
          const missing = missingVariables(it, variables)
          if (missing !== '')
            return skip(`There is no value for ${missing}. Write it into ${file.path}.variables.json.`)
          const asked = operation(print(document), variables)
          const { body } = await context.send({ ...asked, document: shapes.prepared(asked.document) })
          const [rejection] = body.errors ?? []
          if (rejection && mistake) {
            const why = `${mistake.message} The server rejects it too: “${rejection.message}”`
            fail(`${called} is not valid${placeOf(mistake)}: ${why}`, { code: 'rejected' })
          }
          judged(body, asked, context.shapes)
        },
      }
    })
  })
}

/** The operation with its fragments, as its client sends it. Undefined if nothing of it is sent. */
function readyToSend(
  it: OperationDefinitionNode,
  file: DocumentFile,
  files: readonly DocumentFile[],
): DocumentNode | undefined {
  const { fragments, ambiguous } = fragmentsOf(it, file, files)
  if (ambiguous)
    inconclusive(`The fragment ${ambiguous.name} is in ${ambiguous.paths.join(' and ')}. Say which with #import.`)
  const whole: DocumentNode = { kind: Kind.DOCUMENT, definitions: [it, ...fragments] }
  const compiled = compilerDirective(whole)
  if (compiled !== undefined)
    skip(`It uses @${compiled}, which Relay's compiler replaces. Check the documents that the compiler writes.`)
  return asSent(whole)
}

const missingVariables = ({ variableDefinitions = [] }: OperationDefinitionNode, variables: Operation['variables']) =>
  variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .flatMap(({ variable: { name } }) => (variables[name.value] === undefined ? [`$${name.value}`] : []))
    .join(', ')

function parsed({ path, text, line = 1 }: DocumentSource): DocumentNode {
  const source = new Source(text, path, { line, column: 1 })
  try {
    const isEmpty = new Lexer(source).lookahead().kind === TokenKind.EOF
    return isEmpty ? { kind: Kind.DOCUMENT, definitions: [] } : parse(source)
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new Error(`--documents: ${path}${placeOf(error)} cannot be read: ${error.message}`, { cause: error })
  }
}

const placeOf = ({ locations, source }: GraphQLError) =>
  locations?.[0] ? `, line ${locations[0].line + (source?.locationOffset.line ?? 1) - 1}` : ''

function variablesOf({ variables = {} }: DocumentSource, name: string, operations: number): Operation['variables'] {
  const own = variables[name]
  return isObject(own) ? own : operations === 1 ? variables : {}
}

const slug = (text: string) =>
  text
    .replace(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase()

function unique(ids: Map<string, number>, id: string): string {
  const count = (ids.get(id) ?? 0) + 1
  ids.set(id, count)
  return count === 1 ? id : `${id}-${count}`
}
