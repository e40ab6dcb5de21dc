/**
 * Judges whether an answer has the shape that its document asks for: every selected field and no other, each with a
 * value of its type.
 */
import {
  buildASTSchema,
  getNamedType,
  isAbstractType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  isUnionType,
  Kind,
  print,
  TypeInfo,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { coordinatesOf, rootsIn } from '../schema/coordinates.js'
import { isAssumed, provenanceOf, type Provenance } from '../schema/provenance.js'
import { memoize } from '../shared/memoize.js'
import { defaultsOf, parseDocument, type Operation } from './operation.js'
import { isList, isObject, kindOf, scalarValidators, type ScalarValidator } from './scalar-validators.js'

export interface ShapeProblem {
  readonly code: 'missing-field' | 'unexpected-field' | 'null-value' | 'wrong-type' | 'wrong-type-name'
  /** The schema coordinate of the part that is broken. */
  readonly at: string
  /** Begins with a path, such as `data.list.edges[0].node.name`. */
  readonly sentence: string
  /** The provenance of the part of the schema that the answer breaks. */
  readonly provenance: Provenance
}

export interface Judgment {
  readonly problems: readonly ShapeProblem[]
  /** The coordinates of the fields that have a value. */
  readonly shown: ReadonlySet<string>
}

export interface ShapeRules {
  /** The parsed schema with its provenance directives. It is not validated. */
  readonly definitions: DocumentNode
  /** Validators of the custom scalars. A scalar without one accepts anything. */
  readonly scalars?: Readonly<Record<string, ScalarValidator>>
}

export type Shapes = ReturnType<typeof createShapes>

export function createShapes({ definitions, scalars = {} }: ShapeRules) {
  const schema = buildASTSchema(definitions, { assumeValidSDL: true })
  const provenance = provenanceOf(definitions)
  const validators = { ...scalarValidators, ...scalars }
  const rootsOf = memoize(
    (document) =>
      memoize((name) => {
        try {
          return rootsIn(parseDocument(document), name, schema)
        } catch {
          return []
        }
      }),
    { maxLength: Infinity, capacity: 1000 },
  )
  return {
    schema,
    /** By schema coordinate. */
    provenance,
    /** The document with `__typename` wherever a type can be one of several. */
    prepared: memoize((document) => withTypeNames(document, schema), { maxLength: Infinity }),
    /** What is wrong in the data that answers a prepared document, and what it shows. */
    judge(document: string, data: object, variables: Operation['variables'] = {}): Judgment {
      const { definitions } = parseDocument(document)
      const problems: ShapeProblem[] = []
      const shown = new Set<string>()
      for (const it of definitions) {
        const root = it.kind === Kind.OPERATION_DEFINITION && schema.getRootType(it.operation)
        if (!root) continue
        const values = { ...defaultsOf(it), ...variables }
        judgeObject(
          { schema, provenance, validators, definitions, variables: values, problems, shown },
          root,
          [it],
          data,
          'data',
        )
      }
      return { problems, shown }
    },
    /** The root fields that an operation of a document selects: `Query.customers`. */
    rootsIn: (document: string, name = ''): readonly string[] => rootsOf(document)(name),
    /** The scalar fields of a type. */
    scalarFields(name: string): readonly string[] {
      const type = schema.getType(name)
      if (!isObjectType(type)) throw new Error(`There is no type ${name}.`)
      return Object.values(type.getFields()).flatMap((it) => (isLeafType(getNamedType(it.type)) ? [it.name] : []))
    },
    /** The coordinates in a document that are assumed as a whole. */
    assumedIn: (document: string): readonly string[] =>
      [...coordinatesOf(parseDocument(document), schema)].filter((it) => isAssumed(provenance.get(it))),
  }
}

interface Judging extends Pick<DocumentNode, 'definitions'>, Pick<Operation, 'variables'> {
  readonly schema: GraphQLSchema
  readonly provenance: ReadonlyMap<string, Provenance>
  readonly validators: Readonly<Record<string, ScalarValidator>>
  readonly problems: ShapeProblem[]
  readonly shown: Set<string>
}

/** A place in an answer, and the coordinate of the field there. */
interface Place {
  readonly path: string
  readonly coordinate: string
  /** Set if the schema has nothing there. */
  readonly at?: string
}

const documented: Provenance = { basis: 'documented' }

function report(
  { provenance, problems }: Judging,
  place: Place,
  code: ShapeProblem['code'],
  sentence: string,
  part?: Provenance['part'],
): void {
  const known = provenance.get(place.coordinate) ?? documented
  // If only a part of the coordinate is assumed, the rest is documented.
  const isBroken = known.part === undefined || known.part === part
  problems.push({
    code,
    at: place.at ?? place.coordinate,
    sentence: `${place.path} ${sentence}`,
    provenance: isBroken ? known : documented,
  })
}

/** The selected fields by their response keys. */
type Selected = Map<string, FieldNode[]>
type Parent = Pick<FieldNode | OperationDefinitionNode, 'selectionSet'>

/** An abstract type stands for one of its types that the schema does not know. */
function judgeObject(run: Judging, type: GraphQLCompositeType, of: readonly Parent[], value: object, path: string) {
  const selected: Selected = new Map()
  for (const { selectionSet } of of) if (selectionSet) collect(run, type, selectionSet, selected)
  for (const [key, fields] of selected) {
    const name = (fields[0] as FieldNode).name.value
    const sent = own(value, key)
    const place = { path: path + step(key), coordinate: `${type.name}.${name}` }
    if (name === '__typename') judgeTypeName(run, type, sent, place.path)
    if (name.startsWith('__')) continue
    const declared = isUnionType(type) ? undefined : type.getFields()[name]
    // Documents of a front end may ask for what only the server knows. It may have any value.
    if (!declared) continue
    if (sent === undefined) report(run, place, 'missing-field', 'is missing.')
    else judgeValue(run, declared.type, fields, sent, place)
  }
  const extra = Object.keys(value).filter((key) => !selected.has(key))
  for (const key of extra) {
    // A server may send an id as a key, which would be another place each time.
    const at = isFieldName(key) ? `${type.name}.${key}` : type.name
    report(run, { path: path + step(key), coordinate: '', at }, 'unexpected-field', 'was not asked for.')
  }
}

function collect(run: Judging, type: GraphQLCompositeType, { selections }: SelectionSetNode, into: Selected): void {
  for (const it of selections) {
    if (argumentOf(run, it, 'skip') === true || argumentOf(run, it, 'include') === false) continue
    if (it.kind === Kind.FIELD) {
      const key = (it.alias ?? it.name).value
      into.set(key, [...(into.get(key) ?? []), it])
      continue
    }
    const fragment = it.kind === Kind.INLINE_FRAGMENT ? it : fragmentOf(run, it.name.value)
    const on = run.schema.getType(fragment.typeCondition?.name.value ?? type.name)
    // An object of an unknown type may have the fields of a fragment on an unknown type.
    const applies = on
      ? on === type || (isAbstractType(on) && isObjectType(type) && run.schema.isSubType(on, type))
      : isAbstractType(type)
    if (applies) collect(run, type, fragment.selectionSet, into)
  }
}

function fragmentOf({ definitions }: Judging, name: string): FragmentDefinitionNode {
  const found = definitions.find((it) => it.kind === Kind.FRAGMENT_DEFINITION && it.name.value === name)
  if (!found) throw new Error(`The document has no fragment ${name}.`)
  return found as FragmentDefinitionNode
}

/** The argument of @skip or @include. */
function argumentOf({ variables }: Judging, { directives }: SelectionNode, name: string): unknown {
  const argument = directives?.find((it) => it.name.value === name)?.arguments?.[0]
  return argument && valueFromASTUntyped(argument.value, variables)
}

function judgeValue(run: Judging, type: GraphQLOutputType, fields: readonly FieldNode[], value: unknown, place: Place) {
  if (value === null) {
    if (isNonNullType(type)) report(run, place, 'null-value', 'is null and must not be.')
    return
  }
  const nullable = isNonNullType(type) ? type.ofType : type
  const validate = isListType(nullable) ? isList : isLeafType(nullable) ? run.validators[nullable.name] : isObject
  const wanted = validate?.(value)
  if (wanted === undefined) run.shown.add(place.coordinate)
  if (wanted !== undefined) report(run, place, 'wrong-type', `is ${kindOf(value)} and must be ${wanted}.`, 'TYPE')
  else if (isListType(nullable)) {
    for (const [at, it] of (value as unknown[]).entries())
      judgeValue(run, nullable.ofType, fields, it, { ...place, path: `${place.path}[${at}]` })
  } else if (!isLeafType(nullable)) {
    const actual = actualType(run, nullable, value as object, place)
    if (actual) judgeObject(run, actual, fields, value as object, place.path)
  }
}

/** The type of an object, or undefined after a problem. */
function actualType(run: Judging, type: GraphQLCompositeType, value: object, place: Place) {
  if (!isAbstractType(type)) return type
  const name = own(value, '__typename')
  const known = run.schema.getType(String(name))
  if (typeof name === 'string' && !known) return type
  if (isObjectType(known) && run.schema.isSubType(type, known)) return known
  const what =
    typeof name === 'string'
      ? `is ${JSON.stringify(name)}, which is not a possible type here.`
      : `is ${kindOf(name)} and must be the name of a type.`
  report(run, { ...place, path: `${place.path}.__typename` }, 'wrong-type-name', what)
  return undefined
}

function judgeTypeName(run: Judging, type: GraphQLCompositeType, sent: unknown, path: string): void {
  if (isAbstractType(type) || sent === type.name) return
  const place = { path, coordinate: type.name }
  if (sent === undefined) return report(run, place, 'missing-field', 'is missing.')
  const shown = typeof sent === 'string' ? JSON.stringify(sent) : kindOf(sent)
  report(run, place, 'wrong-type-name', `is ${shown} and must be "${type.name}".`, 'NAME')
}

const isFieldName = (key: string) => /^[A-Za-z_]{1,60}$/.test(key)

const step = (key: string): string => (/^\w+$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`)

/** An own property, so that `constructor` is missing unless the server sent it. */
const own = (value: object, key: string): unknown =>
  Object.hasOwn(value, key) ? (value as Readonly<Record<string, unknown>>)[key] : undefined

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
