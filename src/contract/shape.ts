/**
 * Whether an answer has the shape that its document asks for. graphql-js replays the answer's `data` as the root value of
 * the same document: it knows fragments, aliases and merged fields; what each value must be is judged on the way.
 */
import {
  buildASTSchema,
  executeSync,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  print,
  TypeInfo,
  visit,
  visitWithTypeInfo,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
  type TypeNode,
} from 'graphql'
import { coordinatesOf } from '../schema/coordinates.js'
import { isAssumed, provenanceDirectives, provenanceOf, type Provenance } from '../schema/provenance.js'
import { kindOf, leafRules, type LeafRule } from './scalar-validators.js'

export interface ShapeProblem {
  /** For example `data.list.edges[0].node.name`. */
  readonly path: string
  /** The schema coordinate that the answer breaks. */
  readonly coordinate: string
  /** One sentence. */
  readonly sentence: string
  /** The provenance of the part of the coordinate that is broken. */
  readonly mark: Provenance
}

export interface Shapes {
  readonly schema: GraphQLSchema
  readonly marks: ReadonlyMap<string, Provenance>
  /** The document with `__typename` wherever a type can be one of several. */
  prepared(document: string): string
  /** The problems in the data that answers a prepared document. */
  judge(document: string, data: object, variables?: Readonly<Record<string, unknown>>): readonly ShapeProblem[]
  /** The scalar fields of a type. */
  leavesOf(type: string): readonly string[]
  /** The coordinates in a document that are assumed as a whole. */
  assumedIn(document: string): readonly string[]
}

export interface ShapeRules {
  /** The parsed schema with its provenance directives. */
  readonly definitions: DocumentNode
  /** Rules for the custom scalars of the schema. A scalar without one accepts anything. */
  readonly scalars?: Readonly<Record<string, LeafRule>>
}

const documented: Provenance = { basis: 'documented' }
const anything = 'Anything_'
const unknownOf = (name: string) => `Unknown${name}_`

export function createShapes({ definitions, scalars = {} }: ShapeRules): Shapes {
  const schema = buildASTSchema(definitions)
  const marks = provenanceOf(definitions)
  const replayed = buildASTSchema(replayable(definitions, schema))
  const rules: Readonly<Record<string, LeafRule>> = { ...leafRules, ...scalars }

  function judge(document: string, data: object, variables: Readonly<Record<string, unknown>> = {}) {
    const problems: ShapeProblem[] = []
    const complain = (path: Path, coordinate: string, sentence: string, part?: 'TYPE' | 'NAME') => {
      const known = marks.get(coordinate) ?? documented
      // If only a part of the coordinate is assumed, the rest is documented.
      const mark = known.part === undefined || known.part === part ? known : documented
      problems.push({ path: inWords(path), coordinate, sentence: `${inWords(path)} ${sentence}`, mark })
    }

    /** The value, or null after a problem was reported. */
    function fitting(type: GraphQLOutputType, value: unknown, path: Path, coordinate: string): unknown {
      if (isNonNullType(type)) {
        if (value !== null) return fitting(type.ofType, value, path, coordinate)
        complain(path, coordinate, 'is null and must not be.')
        return null
      }
      if (value === null) return null
      if (isListType(type)) {
        if (Array.isArray(value)) return value.map((it, at) => fitting(type.ofType, it, [...path, at], coordinate))
        complain(path, coordinate, `is ${kindOf(value)} and must be a list.`, 'TYPE')
        return null
      }
      if (isLeafType(type)) {
        const wrong = rules[type.name]?.(value)
        if (wrong !== undefined) complain(path, coordinate, `is ${kindOf(value)} and must be ${wrong}.`, 'TYPE')
        return wrong === undefined ? value : null
      }
      if (typeof value !== 'object' || Array.isArray(value)) {
        complain(path, coordinate, `is ${kindOf(value)} and must be an object.`, 'TYPE')
        return null
      }
      return isAbstractType(type) && !saysType(type, value, path, coordinate) ? null : value
    }

    function saysType(type: GraphQLOutputType, value: object, path: Path, coordinate: string): boolean {
      const name = own(value, '__typename')
      if (typeof name !== 'string') {
        complain([...path, '__typename'], coordinate, `is ${kindOf(name)} and must be the name of a type.`)
        return false
      }
      const known = schema.getType(name)
      if (!known || (isObjectType(known) && isAbstractType(type) && schema.isSubType(type, known))) return true
      complain([...path, '__typename'], coordinate, `is ${JSON.stringify(name)}, which is not a possible type here.`)
      return false
    }

    const resolve: GraphQLFieldResolver<unknown, unknown> = (source, _arguments, _context, info) => {
      const path = pathOf(info.path)
      const declaring = schema.getType(info.parentType.name) ?? schema.getType(interfaceOf(info.parentType.name))
      if (!isObjectType(declaring) && !isInterfaceType(declaring)) return null
      const coordinate = `${declaring.name}.${info.fieldName}`
      const value = own(source as object, info.path.key as string)
      if (value !== undefined) {
        return fitting(declaring.getFields()[info.fieldName]?.type as GraphQLOutputType, value, path, coordinate)
      }
      complain(path, coordinate, 'is missing.')
      return null
    }

    const { data: replayedData, errors } = executeSync({
      schema: replayed,
      document: parse(document),
      rootValue: data,
      variableValues: variables,
      fieldResolver: resolve,
      typeResolver(value, _context, _info, type) {
        const name = own(value as object, '__typename') as string
        return schema.getType(name) ? name : unknownOf(type.name)
      },
    })
    // The document or the variables do not fit the schema. Judging nothing would be a pass.
    if (!replayedData) throw new Error(`The answer cannot be replayed: ${errors?.[0]?.message}`)
    const touched = new Set(problems.map(({ path }) => path))
    differences(data, replayedData, [], (path, { extra, sent, made }) => {
      if (touched.has(inWords(path))) return
      if (extra) complain(path, '', 'was not asked for.')
      else if (made.startsWith('Unknown') && !schema.getType(made)) return
      else if (sent === undefined) complain(path, made, 'is missing.')
      else complain(path, made, `is ${shown(sent)} and must be "${made}".`, 'NAME')
    })
    return problems
  }

  const memo = new Map<string, string>()
  return {
    schema,
    marks,
    judge,
    prepared(document) {
      const known = memo.get(document) ?? withTypeNames(document, schema)
      memo.set(document, known)
      return known
    },
    leavesOf(name) {
      const type = schema.getType(name)
      if (!isObjectType(type)) throw new Error(`There is no type ${name}.`)
      return Object.values(type.getFields()).flatMap((it) => (isLeafType(getNamedType(it.type)) ? [it.name] : []))
    },
    assumedIn: (document) => [...coordinatesOf(parse(document), schema)].filter((it) => isAssumed(marks.get(it))),
  }
}

type Path = readonly (string | number)[]

interface PathNode {
  readonly prev: PathNode | undefined
  readonly key: string | number
}

function pathOf(node: PathNode | undefined): Path {
  const keys: (string | number)[] = []
  for (let it = node; it; it = it.prev) keys.unshift(it.key)
  return keys
}

const inWords = (path: Path): string => path.reduce<string>((text, key) => text + step(key), 'data')
const step = (key: string | number) =>
  typeof key === 'number' ? `[${key}]` : /^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`

const shown = (value: unknown) => (typeof value === 'string' ? JSON.stringify(value) : kindOf(value))

/** An own property, so that `constructor` is missing unless the server sent it. */
const own = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined

const interfaceOf = (name: string) => name.replace(/^Unknown(.*)_$/, '$1')

/**
 * A schema in which execution never fails: it accepts any scalar, everything is nullable, and an unknown type of an
 * interface has the fields of that interface.
 */
function replayable(definitions: DocumentNode, schema: GraphQLSchema): DocumentNode {
  const takenAsItIs = (type: TypeNode): TypeNode => {
    if (type.kind === Kind.NON_NULL_TYPE) return takenAsItIs(type.type)
    if (type.kind === Kind.LIST_TYPE) return { ...type, type: takenAsItIs(type.type) }
    const named = schema.getType(type.name.value)
    return isCompositeType(named) ? type : { ...type, name: { ...type.name, value: anything } }
  }
  const loose = visit(definitions, { FieldDefinition: (node) => ({ ...node, type: takenAsItIs(node.type) }) })
  const unknowns = loose.definitions.flatMap((it): DefinitionNode[] => {
    if (it.kind !== Kind.INTERFACE_TYPE_DEFINITION) return []
    const name = { ...it.name, value: unknownOf(it.name.value) }
    const named = { kind: Kind.NAMED_TYPE, name: it.name } as const
    return [{ ...it, kind: Kind.OBJECT_TYPE_DEFINITION, name, interfaces: [named], directives: [] }]
  })
  const marking = (node: DefinitionNode) =>
    node.kind === Kind.DIRECTIVE_DEFINITION && provenanceDirectives.includes(node.name.value)
  const kept = loose.definitions.filter((it) => !marking(it))
  const plain = visit(
    { ...loose, definitions: [...kept, ...unknowns] },
    { Directive: ({ name }) => (provenanceDirectives.includes(name.value) ? null : undefined) },
  )
  return { ...plain, definitions: [...plain.definitions, ...parse(`scalar ${anything}`).definitions] }
}

function withTypeNames(document: string, schema: GraphQLSchema): string {
  const types = new TypeInfo(schema)
  let added = false
  const prepared = visit(
    parse(document),
    visitWithTypeInfo(types, {
      SelectionSet(node): SelectionSetNode | undefined {
        const selected = node.selections.some(
          (it) => it.kind === Kind.FIELD && it.name.value === '__typename' && it.alias === undefined,
        )
        if (selected || !isAbstractType(types.getParentType())) return undefined
        added = true
        const typename = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } } as const
        return { ...node, selections: [typename, ...node.selections] }
      },
    }),
  )
  // Unchanged if possible, because the text of a request is evidence.
  return added ? print(prepared) : document
}

interface Difference {
  /** Whether the server sent a field that the document does not select. */
  readonly extra: boolean
  readonly sent: unknown
  /** The name of the type, if `__typename` was selected. */
  readonly made: string
}

/** The differences between the answer and its replay: extra fields and wrong type names. */
function differences(sent: unknown, kept: unknown, path: Path, report: (path: Path, it: Difference) => void): void {
  if (sent === kept || kept === null || kept === undefined) return
  if (Array.isArray(kept)) {
    for (const [at, it] of kept.entries()) differences((sent as unknown[])[at], it, [...path, at], report)
    return
  }
  if (typeof kept !== 'object') {
    report(path, { extra: false, sent, made: String(kept) })
    return
  }
  for (const key of Object.keys(sent as object)) {
    if (!Object.hasOwn(kept, key)) report([...path, key], { extra: true, sent: undefined, made: '' })
  }
  for (const [key, it] of Object.entries(kept)) differences(own(sent as object, key), it, [...path, key], report)
}
