/**
 * Judges whether an answer has the shape that its document asks for. graphql-js replays the answer's `data` as the root
 * value of the same document, because it knows fragments, aliases and merged fields; the resolver judges each value.
 */
import {
  buildASTSchema,
  concatAST,
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
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type DefinitionNode,
  type DocumentNode,
  type GraphQLAbstractType,
  type GraphQLFieldResolver,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
  type TypeNode,
} from 'graphql'
import { coordinatesOf } from '../schema/coordinates.js'
import { isAssumed, provenanceOf, type Provenance } from '../schema/provenance.js'
import { memoize } from '../shared/memoize.js'
import { parseDocument } from './operation.js'
import { isList, isObject, kindOf, scalarValidators, type ScalarValidator } from './scalar-validators.js'

export interface ShapeProblem {
  /** For example `data.list.edges[0].node.name`. */
  readonly path: string
  readonly sentence: string
  /** The provenance of the part of the schema that the answer breaks. */
  readonly provenance: Provenance
}

export interface Shapes {
  readonly schema: GraphQLSchema
  /** By schema coordinate. */
  readonly provenance: ReadonlyMap<string, Provenance>
  /** The document with `__typename` wherever a type can be one of several. */
  prepared(document: string): string
  /** The problems in the data that answers a prepared document. */
  judge(document: string, data: object, variables?: Readonly<Record<string, unknown>>): readonly ShapeProblem[]
  /** The scalar fields of a type. */
  scalarFields(type: string): readonly string[]
  /** The coordinates in a document that are assumed as a whole. */
  assumedIn(document: string): readonly string[]
  /** Shapes of the schema with more types or fields, given as SDL. */
  extended(sdl: string): Shapes
}

export interface ShapeRules {
  /** The parsed schema with its provenance directives. */
  readonly definitions: DocumentNode
  /** Validators of the custom scalars. A scalar without one accepts anything. */
  readonly scalars?: Readonly<Record<string, ScalarValidator>>
}

const documented: Provenance = { basis: 'documented' }
const anything = 'Anything_'
const unknownOf = (name: string) => `Unknown${name}_`

export function createShapes({ definitions, scalars = {} }: ShapeRules): Shapes {
  const schema = buildASTSchema(definitions)
  const provenance = provenanceOf(definitions)
  const replayed = buildASTSchema(replayable(definitions, schema))
  const validators: Readonly<Record<string, ScalarValidator>> = { ...scalarValidators, ...scalars }

  function judge(document: string, data: object, variables: Readonly<Record<string, unknown>> = {}) {
    const problems: ShapeProblem[] = []
    const report = (path: Path, coordinate: string, sentence: string, part?: Provenance['part']): null => {
      const known = provenance.get(coordinate) ?? documented
      problems.push({
        path: textOf(path),
        sentence: `${textOf(path)} ${sentence}`,
        // If only a part of the coordinate is assumed, the rest is documented.
        provenance: known.part === undefined || known.part === part ? known : documented,
      })
      return null
    }

    /** The value, or null after a problem was reported. */
    function validated(type: GraphQLOutputType, value: unknown, path: Path, coordinate: string): unknown {
      if (isNonNullType(type)) {
        if (value === null) return report(path, coordinate, 'is null and must not be.')
        return validated(type.ofType, value, path, coordinate)
      }
      if (value === null) return null
      const validate = isListType(type) ? isList : isLeafType(type) ? validators[type.name] : isObject
      const expected = validate?.(value)
      if (expected !== undefined) {
        return report(path, coordinate, `is ${kindOf(value)} and must be ${expected}.`, 'TYPE')
      }
      if (isListType(type)) {
        return (value as unknown[]).map((it, at) => validated(type.ofType, it, [...path, at], coordinate))
      }
      return isAbstractType(type) ? typed(type, value as object, [...path, '__typename'], coordinate) : value
    }

    function typed(type: GraphQLAbstractType, value: object, path: Path, coordinate: string): object | null {
      const name = own(value, '__typename')
      if (typeof name !== 'string') {
        return report(path, coordinate, `is ${kindOf(name)} and must be the name of a type.`)
      }
      const known = schema.getType(name)
      if (!known || (isObjectType(known) && schema.isSubType(type, known))) return value
      return report(path, coordinate, `is ${JSON.stringify(name)}, which is not a possible type here.`)
    }

    const resolve: GraphQLFieldResolver<unknown, unknown> = (source, _arguments, _context, info) => {
      const path = pathOf(info.path)
      const declaring = schema.getType(info.parentType.name) ?? schema.getType(interfaceOf(info.parentType.name))
      if (!isObjectType(declaring) && !isInterfaceType(declaring)) return null
      const coordinate = `${declaring.name}.${info.fieldName}`
      const value = own(source as object, info.path.key as string)
      if (value === undefined) return report(path, coordinate, 'is missing.')
      return validated(declaring.getFields()[info.fieldName]?.type as GraphQLOutputType, value, path, coordinate)
    }

    const { data: replayedData, errors } = executeSync({
      schema: replayed,
      document: withoutInputs(parseDocument(document), variables),
      rootValue: data,
      fieldResolver: resolve,
      typeResolver(value, _context, _info, type) {
        const name = own(value as object, '__typename') as string
        return schema.getType(name) ? name : unknownOf(type.name)
      },
    })
    // The document does not fit the schema. Judging nothing would be a pass.
    if (!replayedData) throw new Error(`The answer cannot be replayed: ${errors?.[0]?.message}`)
    const reported = new Set(problems.map(({ path }) => path))
    for (const { path, sent, typeName } of differences(data, replayedData, [])) {
      if (reported.has(textOf(path))) continue
      if (typeName === undefined) report(path, '', 'was not asked for.')
      else if (typeName.startsWith('Unknown') && !schema.getType(typeName)) continue
      else if (sent === undefined) report(path, typeName, 'is missing.')
      else report(path, typeName, `is ${shown(sent)} and must be "${typeName}".`, 'NAME')
    }
    return problems
  }

  return {
    schema,
    provenance,
    judge,
    prepared: memoize((document) => withTypeNames(document, schema), { maxLength: Infinity }),
    scalarFields(name) {
      const type = schema.getType(name)
      if (!isObjectType(type)) throw new Error(`There is no type ${name}.`)
      return Object.values(type.getFields()).flatMap((it) => (isLeafType(getNamedType(it.type)) ? [it.name] : []))
    },
    assumedIn: (document) =>
      [...coordinatesOf(parseDocument(document), schema)].filter((it) => isAssumed(provenance.get(it))),
    extended: (sdl) => createShapes({ definitions: concatAST([definitions, parse(sdl)]), scalars }),
  }
}

/**
 * A document without variables and arguments, because the input types of the target may differ from ours. Only the
 * conditions of `@skip` and `@include` decide what the answer holds; they become literals.
 */
function withoutInputs(document: DocumentNode, variables: Readonly<Record<string, unknown>>): DocumentNode {
  const defaults: Record<string, unknown> = {}
  return visit(document, {
    VariableDefinition({ variable, defaultValue }) {
      if (defaultValue) defaults[variable.name.value] = valueFromASTUntyped(defaultValue)
      return null
    },
    Field: ({ arguments: given = [], ...node }) => (given.length > 0 ? node : undefined),
    Directive: ({ name }) => (['skip', 'include'].includes(name.value) ? undefined : null),
    Variable: ({ name }) => ({
      kind: Kind.BOOLEAN,
      value: Boolean(variables[name.value] ?? defaults[name.value]),
    }),
  })
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

const textOf = (path: Path): string => path.reduce<string>((text, key) => text + step(key), 'data')
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
  const nullable = (type: TypeNode): TypeNode => {
    if (type.kind === Kind.NON_NULL_TYPE) return nullable(type.type)
    if (type.kind === Kind.LIST_TYPE) return { ...type, type: nullable(type.type) }
    const named = schema.getType(type.name.value)
    return isCompositeType(named) ? type : { ...type, name: { ...type.name, value: anything } }
  }
  const loose = visit(definitions, {
    FieldDefinition: (node) => ({ ...node, arguments: [], type: nullable(node.type) }),
  })
  const unknowns = loose.definitions.flatMap((it): DefinitionNode[] => {
    if (it.kind !== Kind.INTERFACE_TYPE_DEFINITION) return []
    const name = { ...it.name, value: unknownOf(it.name.value) }
    const named = { kind: Kind.NAMED_TYPE, name: it.name } as const
    return [{ ...it, kind: Kind.OBJECT_TYPE_DEFINITION, name, interfaces: [named], directives: [] }]
  })
  const scalar = parse(`scalar ${anything}`).definitions
  return { ...loose, definitions: [...loose.definitions, ...unknowns, ...scalar] }
}

function withTypeNames(document: string, schema: GraphQLSchema): string {
  const types = new TypeInfo(schema)
  let added = false
  const prepared = visit(
    parseDocument(document),
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
  readonly path: Path
  readonly sent: unknown
  /** The right type, if `__typename` differs. Undefined for a field that was not selected. */
  readonly typeName?: string
}

/** The differences between an answer and its replay: extra fields and wrong type names. */
function differences(sent: unknown, replayed: unknown, path: Path): Difference[] {
  if (sent === replayed || replayed === null || replayed === undefined) return []
  if (typeof replayed !== 'object') return [{ path, sent, typeName: String(replayed) }]
  if (Array.isArray(replayed)) {
    return replayed.flatMap((it, at) => differences((sent as unknown[])[at], it, [...path, at]))
  }
  const extra = Object.keys(sent as object).filter((key) => !Object.hasOwn(replayed, key))
  return [
    ...extra.map((key) => ({ path: [...path, key], sent: undefined })),
    ...Object.entries(replayed).flatMap(([key, it]) => differences(own(sent as object, key), it, [...path, key])),
  ]
}
