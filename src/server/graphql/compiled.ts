/**
 * Compiles hot queries to functions. Anything out of the ordinary – an error, a null that may not be, a promise – is a
 * deopt: graphql-js answers the query again. That is why mutations are never compiled.
 *
 * graphql-jit 0.8.9 is not an option: it writes literals into source text, so a string in a query can run any code.
 */
import { collectFields, collectSubFields } from '@graphql-tools/utils'
import {
  BREAK,
  getArgumentValues,
  getNamedType,
  getNullableType,
  getVariableValues,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  TypeNameMetaFieldDef,
  visit,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLLeafType,
  type GraphQLList,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import { memoize } from '../../shared/memoize.js'
import { makerOf, readerOf } from './generated.js'
import { plainCopy, type CharacterBudget } from './plain-data.js'

type Values = Readonly<Record<string, unknown>>

/** Returns the data, or undefined after a deopt or if the answer has more than `maxLength` characters. */
export type CompiledQuery = (
  context: object,
  variables: Values,
  maxLength: number,
) => Record<string, unknown> | undefined

/** One execution of a compiled query. */
interface Execution extends CharacterBudget {
  readonly context: object
  readonly variables: Values
  /** Arguments that depend on variables, by the number of their field: the same for every record of a list. */
  readonly args: (Values | undefined)[]
}

/** Completes the value of a field. For the members of an object, `value` is the object. */
type Complete = (value: unknown, execution: Execution) => unknown

/** Returns undefined for anything but queries, and for those that use directives or introspection. */
export function compileQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledQuery | undefined {
  const root = schema.getQueryType()
  if (operation.operation !== 'query' || !root || contains(document, Kind.DIRECTIVE)) return undefined
  const definitions = operation.variableDefinitions ?? []
  return attempt(() => {
    const complete = new Compiler(schema, document, operation).compileRoot(root)
    return (context, given, left) =>
      attempt(() => {
        const variables = getVariableValues(schema, definitions, given).coerced ?? deopt()
        return complete(undefined, { context, variables, args: [], left }) as Record<string, unknown>
      })
  })
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    // graphql-js meets the same error again and words it.
    return undefined
  }
}

// One object for all, because a stack trace takes longer than a small query.
const deoptimized = new Error('deopt')

/** Stops a compiled query: graphql-js answers it instead. */
function deopt(): never {
  throw deoptimized
}

function contains(root: ASTNode, kind: Kind): boolean {
  let found = false
  visit(root, {
    enter(node) {
      found ||= node.kind === kind
      return found ? BREAK : undefined
    },
  })
  return found
}

/** Only directives would use them. */
const noVariables = { coerced: {}, sources: {} }

class Compiler {
  readonly #schema: GraphQLSchema
  readonly #operation: OperationDefinitionNode
  readonly #fragments: Record<string, FragmentDefinitionNode>
  #argumentSlots = 0

  constructor(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
    const fragments = document.definitions.filter((it) => it.kind === Kind.FRAGMENT_DEFINITION)
    this.#schema = schema
    this.#operation = operation
    this.#fragments = Object.fromEntries(fragments.map((it) => [it.name.value, it]))
  }

  compileRoot(type: GraphQLObjectType): Complete {
    const { fields } = collectFields(this.#schema, this.#fragments, noVariables, type, this.#operation.selectionSet)
    return this.#compileFields(type, fields)
  }

  #compileObject(type: GraphQLObjectType, nodes: FieldNode[]): Complete {
    if (type.isTypeOf) deopt()
    const { fields } = collectSubFields(this.#schema, this.#fragments, noVariables, type, nodes)
    return this.#compileFields(type, fields)
  }

  #compileFields(type: GraphQLObjectType, selected: Map<string, FieldNode[]>): Complete {
    const fields = [...selected].map(([name, nodes]) => ({ name, read: this.#compileField(type, nodes) }))
    const make = makerOf<Execution>(fields)
    const lengthOfNames = fields.reduce((sum, { name }) => sum + name.length, 0)
    return (source, execution) => {
      const data = make(source, execution)
      spend(execution, lengthOfNames)
      return data
    }
  }

  #compileField(type: GraphQLObjectType, nodes: FieldNode[]): Complete {
    const [node] = nodes as [FieldNode]
    const name = node.name.value
    if (name === TypeNameMetaFieldDef.name) return withFastPath(TypeNameMetaFieldDef.type, () => type.name, deopt)
    const field = type.getFields()[name] ?? deopt()
    return withFastPath(field.type, this.#compileResolver(type, field, nodes), this.#compileType(field.type, nodes))
  }

  #compileResolver(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, nodes: FieldNode[]): Complete {
    const { name, resolve } = field
    if (!resolve) return readerOf(name)
    const argsOf = this.#compileArgs(field, nodes[0] as FieldNode)
    const info = this.#info({ fieldName: name, fieldNodes: nodes, returnType: field.type, parentType: type })
    return (source, execution) => resolve(source, argsOf(execution), execution.context, info)
  }

  #compileArgs(field: GraphQLField<unknown, unknown>, node: FieldNode): (execution: Execution) => Values {
    if (node.arguments?.some((it) => contains(it, Kind.VARIABLE))) {
      const slot = this.#argumentSlots++
      return ({ args, variables }) => (args[slot] ??= getArgumentValues(field, node, variables))
    }
    const constants = getArgumentValues(field, node)
    return () => constants
  }

  /** There is no `path`: it would cost an object for each value, and our resolvers do not read it. */
  #info(of: Partial<GraphQLResolveInfo>): GraphQLResolveInfo {
    const shared = { schema: this.#schema, fragments: this.#fragments, operation: this.#operation }
    return { ...of, ...shared } as unknown as GraphQLResolveInfo
  }

  #compileType(type: GraphQLOutputType, nodes: FieldNode[]): Complete {
    if (isNonNullType(type)) {
      const complete = this.#compileType(type.ofType as GraphQLOutputType, nodes)
      return (value, execution) => complete(value, execution) ?? deopt()
    }
    const complete = this.#compileNonNull(type, nodes)
    return (value, execution) => {
      if (value === null || value === undefined) {
        spend(execution, 1)
        return null
      }
      const isData =
        typeof value === 'object' ? !(value instanceof Error || isPromise(value)) : typeof value !== 'function'
      return isData ? complete(value, execution) : deopt()
    }
  }

  #compileNonNull(type: GraphQLOutputType, nodes: FieldNode[]): Complete {
    if (isLeafType(type)) return compileLeaf(type)
    if (isListType(type)) return this.#compileList(type, nodes)
    if (isObjectType(type)) return this.#compileObject(type, nodes)
    return this.#compileAbstract(type as GraphQLAbstractType, nodes)
  }

  #compileList(type: GraphQLList<GraphQLOutputType>, nodes: FieldNode[]): Complete {
    const complete = this.#compileType(type.ofType, nodes)
    return (value, execution) => (Array.isArray(value) ? value.map((item) => complete(item, execution)) : deopt())
  }

  #compileAbstract(type: GraphQLAbstractType, nodes: FieldNode[]): Complete {
    const resolveType = type.resolveType ?? deopt()
    const info = this.#info({})
    const possible = this.#schema.getPossibleTypes(type)
    const completeAs = memoize((name) => this.#compileObject(possible.find((it) => it.name === name) ?? deopt(), nodes))
    return (value, execution) => {
      const name = resolveType(value, execution.context, info, type)
      return typeof name === 'string' ? completeAs(name)(value, execution) : deopt()
    }
  }
}

/**
 * Reads a field and completes its value. Common values are checked here and not in `complete`, because V8 inlines this
 * function per field; that halves the time for a page.
 */
function withFastPath(type: GraphQLOutputType, read: Complete, complete: Complete): Complete {
  const name = isListType(getNullableType(type)) ? undefined : getNamedType(type).name
  if (name === GraphQLString.name || name === GraphQLID.name) {
    return (source, execution) => {
      const value = read(source, execution)
      if (typeof value !== 'string') return complete(value, execution)
      execution.left -= value.length
      return value
    }
  }
  if (name === GraphQLInt.name || name === GraphQLFloat.name) {
    return (source, execution) => {
      const value = read(source, execution)
      if (typeof value !== 'number' || (value | 0) !== value) return complete(value, execution)
      execution.left -= 1
      return value
    }
  }
  return (source, execution) => complete(read(source, execution), execution)
}

function compileLeaf(type: GraphQLLeafType): Complete {
  return (value, execution) => {
    const serialized = plainCopy(type.serialize(value) ?? deopt(), execution)
    spend(execution, 0)
    return serialized
  }
}

function spend(execution: Execution, characters: number): void {
  execution.left -= characters
  if (execution.left < 0) deopt()
}

/** graphql-js gets a promise of its own. Nobody awaits this one, so its rejection would end the process. */
function isPromise(value: object): boolean {
  if (typeof (value as { then?: unknown }).then !== 'function') return false
  Promise.resolve(value).catch(() => {})
  return true
}
