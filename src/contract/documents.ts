/** Makes checks from the documents of a front end: each operation must be valid and answered in its shape. */
import {
  GraphQLError,
  Kind,
  OperationTypeNode,
  parse,
  print,
  separateOperations,
  validate,
  type DefinitionNode,
  type DocumentNode,
  type OperationDefinitionNode,
} from 'graphql'
import { documented, fail, skip, type Check } from './check.js'
import { operation, type Operation } from './operation.js'
import { isObject } from '../shared/is-object.js'
import type { Shapes } from './shape.js'

/**
 * A document of a front end.
 * @example { path: 'src/segments.graphql', text: 'query Segments { … }', variables: { first: 10 } }
 */
export interface DocumentSource {
  /** The path shown to people. */
  readonly path: string
  readonly text: string
  /** Variables by operation name, or the variables themselves if there is one operation. */
  readonly variables?: Readonly<Record<string, unknown>> | undefined
}

const basis = documented('schema.graphql: what a document may ask, and the shape that its answer has.')

/** Throws an Error that names the file if one cannot be parsed. */
export function documentChecks(sources: readonly DocumentSource[], shapes: Shapes): readonly Check[] {
  const files = sources.map((source) => ({ source, document: parsed(source) }))
  // Fragments may be in other files.
  const fragments = files.flatMap(({ document }) => document.definitions.filter(isFragment))
  const ids = new Map<string, number>()
  return files.flatMap(({ source, document }) => {
    const operations = document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
    return operations.map((it): Check => {
      const name = it.name?.value ?? ''
      const called = name === '' ? source.path : `${name} in ${source.path}`
      const whole = { kind: Kind.DOCUMENT, definitions: [it, ...fragments] } as const
      const alone = separateOperations(whole)[name] ?? whole
      const variables = variablesOf(source, name, operations.length)
      return {
        id: unique(ids, slug(`document-${name || source.path}`)),
        title: `${called} MUST be valid, and the response MUST have its shape.`,
        basis,
        async run(context) {
          const [error] = validate(shapes.schema, alone)
          if (error) return fail(`${called} is not valid${placeOf(error)}: ${error.message}`, [])
          if (it.operation !== OperationTypeNode.QUERY) return skip(`It is a ${it.operation}, which is never sent.`)
          const missing = missingVariables(it, variables)
          if (missing !== '')
            return skip(`There is no value for ${missing}. Write it into ${source.path}.variables.json.`)
          await context.ask(operation(print(alone), variables))
        },
      }
    })
  })
}

const missingVariables = ({ variableDefinitions = [] }: OperationDefinitionNode, variables: Operation['variables']) =>
  variableDefinitions
    .filter(({ type, defaultValue }) => type.kind === Kind.NON_NULL_TYPE && !defaultValue)
    .flatMap(({ variable: { name } }) => (variables[name.value] === undefined ? [`$${name.value}`] : []))
    .join(', ')

const isFragment = (it: DefinitionNode) => it.kind === Kind.FRAGMENT_DEFINITION

function parsed({ path, text }: DocumentSource): DocumentNode {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    throw new Error(`${path}${placeOf(error)} cannot be read: ${error.message}`, { cause: error })
  }
}

const placeOf = ({ locations }: GraphQLError) => (locations?.[0] ? `, line ${locations[0].line}` : '')

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
