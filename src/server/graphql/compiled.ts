/**
 * Queries compiled to functions: what a document says is read once, and each execution only resolves and completes.
 *
 * Only the straight way is compiled. Whatever else happens on it – an error, null where there may be none, a promise –
 * gives `undefined`, and the caller executes the same query on graphql-js, which knows all of GraphQL and words every
 * error. That is why mutations are never compiled: they would run twice.
 *
 * graphql-jit is not used, because it writes literals of the document into the source text of its functions: in
 * version 0.8.9 a string in a query can run any code.
 */
import {
  type GraphQLLeafType,
  type GraphQLNonNull,
  type GraphQLNullableType,
  getNamedType,
  getNullableType,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLString,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  TypeNameMetaFieldDef,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLAbstractType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionNode,
} from 'graphql'
import { compileArguments, compileVariables, hasVariable } from './compiled-values.js'
import { makerOf, readerOf } from './generated.js'
import { lengthUpTo } from './limits.js'

export type Data = Record<string, unknown>

/**
 * Gives the data of the answer, or undefined where graphql-js must execute the query: also where its names and values
 * have more than so many characters.
 */
export type CompiledQuery = (
  context: object,
  variables: Readonly<Record<string, unknown>>,
  maxLength: number,
) => Data | undefined

/** One execution of a compiled query. */
interface Execution {
  readonly context: object
  readonly variables: Readonly<Record<string, unknown>>
  /** The arguments that hang on variables, by the number of their field: the same for every record of a list. */
  readonly args: (Record<string, unknown> | undefined)[]
  /** How many characters the answer may still have. */
  left: number
}

type Complete = (value: unknown, execution: Execution) => unknown
type ReadField = (source: unknown, execution: Execution) => unknown

/** Thrown where only graphql-js goes on. */
class Unusual extends Error {}

/** Undefined where the operation is no query, or has something that is seldom asked: directives, introspection. */
export function compileQuery(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
): CompiledQuery | undefined {
  const root = schema.getQueryType()
  if (operation.operation !== 'query' || operation.directives?.length || !root) return undefined
  const complete = attempt(() => createCompiler(schema, document, operation).root(root))
  if (!complete) return undefined
  const variablesOf = compileVariables(schema, operation.variableDefinitions ?? [])
  return (context, given, maxLength) =>
    attempt(() => {
      const variables = variablesOf(given)
      if (!variables) throw new Unusual()
      return complete(undefined, { context, variables, args: [], left: maxLength }) as Data
    })
}

function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make()
  } catch {
    // graphql-js meets the same again, and says what it is.
    return undefined
  }
}

function createCompiler(schema: GraphQLSchema, document: DocumentNode, operation: OperationDefinitionNode) {
  const fragments = Object.create(null) as Record<string, FragmentDefinitionNode>
  for (const it of document.definitions) {
    if (it.kind === Kind.FRAGMENT_DEFINITION) fragments[it.name.value] = it
  }
  let numbered = 0

  /** The fields that these selections ask of a type, by the name they have in the answer. */
  function collect(type: GraphQLObjectType, selections: readonly SelectionNode[], into: Map<string, FieldNode[]>) {
    for (const selection of selections) {
      if (selection.directives?.length) throw new Unusual()
      if (selection.kind === Kind.FIELD) {
        const key = selection.alias?.value ?? selection.name.value
        const same = into.get(key)
        if (same) same.push(selection)
        else into.set(key, [selection])
        continue
      }
      const part = selection.kind === Kind.FRAGMENT_SPREAD ? fragments[selection.name.value] : selection
      const condition = part?.typeCondition && schema.getType(part.typeCondition.name.value)
      if (!part || part.directives?.length) throw new Unusual()
      const applies =
        !condition || condition === type || (isAbstractType(condition) && schema.isSubType(condition, type))
      if (applies) collect(type, part.selectionSet.selections, into)
    }
    return into
  }

  function compileObject(type: GraphQLObjectType, selections: readonly SelectionNode[]): Complete {
    const fields = [...collect(type, selections, new Map())].map(([name, nodes]) => ({
      name,
      read: compileField(type, nodes),
    }))
    if (type.isTypeOf) throw new Unusual()
    const make = makerOf<Execution>(fields)
    const lengthOfNames = fields.reduce((sum, { name }) => sum + name.length, 0)
    return (source, execution) => {
      const data = make(source, execution)
      take(execution, lengthOfNames)
      return data
    }
  }

  function compileField(type: GraphQLObjectType, nodes: readonly FieldNode[]): ReadField {
    const [node] = nodes as [FieldNode]
    const name = node.name.value
    if (name === TypeNameMetaFieldDef.name) return constant(type.name)
    const field = type.getFields()[name]
    if (!field) throw new Unusual()
    return completed(field.type, readField(type, field, nodes), compileType(field.type, nodes))
  }

  function readField(type: GraphQLObjectType, field: GraphQLField<unknown, unknown>, nodes: readonly FieldNode[]) {
    const [node] = nodes as [FieldNode]
    const { name, resolve } = field
    if (!resolve) return readerOf(name)
    const argsOf = argumentsOf(field, node)
    // A path would have to be made for each value; nothing of ours reads it.
    const info = {
      fieldName: name,
      fieldNodes: nodes,
      returnType: field.type,
      parentType: type,
      schema,
      fragments,
      operation,
    } as unknown as GraphQLResolveInfo
    return (source: unknown, execution: Execution) => resolve(source, argsOf(execution), execution.context, info)
  }

  function argumentsOf(field: GraphQLField<unknown, unknown>, node: FieldNode) {
    const read = compileArguments(field, node)
    if (!hasVariable(node.arguments)) {
      const args = read({})
      return () => args
    }
    const number = numbered++
    return ({ args, variables }: Execution) => (args[number] ??= read(variables))
  }

  function compileType(type: GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (isNonNullType(type)) {
      const complete = compileType(type.ofType as Exclude<GraphQLOutputType, GraphQLNonNull<never>>, nodes)
      return (value, execution) => {
        const completed = complete(value, execution)
        if (completed === null) throw new Unusual()
        return completed
      }
    }
    if (isLeafType(type)) return compileLeaf(type)
    const complete = compileComposite(type, nodes)
    return (value, execution) => {
      if (value === null || value === undefined) return nothing(execution)
      if (typeof value !== 'object' || value instanceof Error || isThenable(value)) return leave(value)
      return complete(value, execution)
    }
  }

  function compileComposite(type: GraphQLNullableType & GraphQLOutputType, nodes: readonly FieldNode[]): Complete {
    if (isListType(type)) {
      const complete = compileType(type.ofType, nodes)
      return (value, execution) => {
        if (!Array.isArray(value)) throw new Unusual()
        try {
          return value.map((item) => complete(item, execution))
        } catch (error) {
          value.forEach(unheard)
          throw error
        }
      }
    }
    const selections = nodes.flatMap((node) => node.selectionSet?.selections ?? [])
    return isObjectType(type)
      ? compileObject(type, selections)
      : compileAbstract(type as GraphQLAbstractType, selections)
  }

  function compileAbstract(type: GraphQLAbstractType, selections: readonly SelectionNode[]): Complete {
    const { resolveType } = type
    if (!resolveType) throw new Unusual()
    const info = { schema, fragments, operation } as unknown as GraphQLResolveInfo
    const members = new Map<string, Complete>()
    function compileMember(name: unknown): Complete {
      const member = schema.getPossibleTypes(type).find((it) => it.name === name)
      if (!member) return leave(name)
      const complete = compileObject(member, selections)
      members.set(member.name, complete)
      return complete
    }
    return (value, execution) => {
      const name = resolveType(value, execution.context, info, type)
      return (members.get(name as string) ?? compileMember(name))(value, execution)
    }
  }

  return { root: (type: GraphQLObjectType) => compileObject(type, operation.selectionSet.selections) }
}

/**
 * Reads a field and completes its value. The values that most fields have are looked at here and not by a function that is
 * passed in: V8 makes one of it with the object that it is for, which halves the time of a page.
 */
function completed(type: GraphQLOutputType, read: ReadField, complete: Complete): ReadField {
  const name = isListType(getNullableType(type)) ? undefined : getNamedType(type).name
  if (name === GraphQLString.name || name === GraphQLID.name)
    return (source, execution) => {
      const value = read(source, execution)
      if (typeof value !== 'string') return complete(value, execution)
      execution.left -= value.length
      return value
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

/** The text, number or other value that a leaf is written as. */
function compileLeaf(type: GraphQLLeafType): Complete {
  return (value, execution) => {
    if (value === null || value === undefined) return nothing(execution)
    if (typeof value === 'object' ? value instanceof Error || isThenable(value) : typeof value === 'function')
      return leave(value)
    const written = type.serialize(value)
    if (written === null || written === undefined) throw new Unusual()
    take(execution, typeof written === 'string' ? written.length : lengthUpTo(written, execution.left))
    return written
  }
}

const constant =
  (text: string): ReadField =>
  (_, execution) => {
    take(execution, text.length)
    return text
  }

/** Counts characters of the answer. */
function take(execution: Execution, characters: number): void {
  execution.left -= characters
  if (execution.left < 0) throw new Unusual()
}

function nothing(execution: Execution): null {
  take(execution, 1)
  return null
}

/** An error, a promise, a function: graphql-js treats each in its way. */
function leave(value: unknown): never {
  unheard(value)
  throw new Unusual()
}

/** graphql-js gets a promise of its own. Nobody waits for this one, and where it failed it would end the process. */
function unheard(value: unknown): void {
  if (typeof value === 'object' && value !== null && isThenable(value)) Promise.resolve(value).catch(() => {})
}

const isThenable = (value: object): boolean => typeof (value as { then?: unknown }).then === 'function'
