/** Changes, drops or adds values of an answer by schema coordinate. */
import {
  getArgumentValues,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  parse,
  print,
  separateOperations,
  type DocumentNode,
  type FieldNode,
  type GraphQLOutputType,
  type GraphQLSchema,
  type SelectionSetNode,
} from 'graphql'
import { defaultsOf } from '../../src/contract/operation.js'
import type { GraphqlRequest } from '../../src/client/target.js'
import type { Wrap } from './mutant.js'

export const DROP = Symbol('drop')

export interface Place {
  readonly path: readonly (string | number)[]
  /** The root field that returns the value. */
  readonly root: string
  readonly args: Readonly<Record<string, unknown>>
  /** The unchanged object that has the value. */
  readonly parent: Readonly<Record<string, unknown>>
  /** The kinds of selection that select the field. */
  readonly via: ReadonlySet<Via>
}

/** Selected directly, or by a fragment: a named one, an inline one with a type, one without. */
export type Via = 'itself' | 'named' | 'inline' | 'untyped'

/** Returns the new value. The members of the old one are changed already. */
export type AnswerRule = (value: unknown, place: Place) => unknown

/** Rules by coordinate (`Customer.avatar`, `Customer.__typename`) or by type (`Customer`); `*` is any field. */
export type AnswerRules = Readonly<Record<string, AnswerRule>>

export interface Walk {
  readonly schema: GraphQLSchema
  readonly document: DocumentNode
  readonly variables?: Readonly<Record<string, unknown>> | undefined
  readonly rules: AnswerRules
  /** The key of a field in the answer. Defaults to its response key. */
  readonly keyOf?: (responseKey: string, field: string) => string
}

const documents = new Map<string, DocumentNode>()

/** Parses a document once for all runs. */
export function parsed(text: string): DocumentNode {
  const known = documents.get(text) ?? parse(text)
  documents.set(text, known)
  return known
}

/** The request with only the operation that it runs. */
export function oneOperation(request: GraphqlRequest): GraphqlRequest {
  const { query, operationName = '' } = request
  const operations = parsed(query).definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  const one = operations.length > 1 ? separateOperations(parsed(query))[operationName] : undefined
  return one ? { ...request, query: print(one) } : request
}

interface Selected {
  readonly nodes: FieldNode[]
  readonly via: Set<Via>
}

/** The selected fields of an object by response key, fragments included. */
export function selectedFields(
  { schema, document }: Pick<Walk, 'schema' | 'document'>,
  type: string,
  sets: readonly SelectionSetNode[],
): ReadonlyMap<string, Selected> {
  const fields = new Map<string, Selected>()
  const fits = (condition: string) => {
    const [named, own] = [schema.getType(condition), schema.getType(type)]
    if (condition === type) return true
    return named?.astNode?.kind === Kind.INTERFACE_TYPE_DEFINITION && isObjectType(own)
      ? own.getInterfaces().some((it) => it.name === condition)
      : false
  }
  const take = (set: SelectionSetNode, via: Via): void => {
    for (const it of set.selections) {
      if (it.kind === Kind.FIELD) {
        const key = it.alias?.value ?? it.name.value
        const known = fields.get(key) ?? { nodes: [], via: new Set() }
        known.nodes.push(it)
        known.via.add(via)
        fields.set(key, known)
      } else if (it.kind === Kind.INLINE_FRAGMENT) {
        if (!it.typeCondition) take(it.selectionSet, 'untyped')
        else if (fits(it.typeCondition.name.value)) take(it.selectionSet, 'inline')
      } else {
        const fragment = document.definitions.find(
          (other) => other.kind === Kind.FRAGMENT_DEFINITION && other.name.value === it.name.value,
        )
        if (fragment?.kind === Kind.FRAGMENT_DEFINITION && fits(fragment.typeCondition.name.value)) {
          take(fragment.selectionSet, 'named')
        }
      }
    }
  }
  for (const set of sets) take(set, 'itself')
  return fields
}

/** The changed data. The given data is not modified. */
export function walkAnswer(walk: Walk, data: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { schema, document, variables = {}, rules, keyOf = (key) => key } = walk
  const [operation] = document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
  if (!operation) return data

  function object(
    type: string,
    sets: readonly SelectionSetNode[],
    value: Readonly<Record<string, unknown>>,
    path: Place['path'],
    root: string,
  ): unknown {
    const declared = schema.getType(type)
    if (!isObjectType(declared)) return value
    const made: Record<string, unknown> = {}
    for (const [key, { nodes, via }] of selectedFields(walk, type, sets)) {
      const [first] = nodes
      if (!first || !Object.hasOwn(value, key)) continue
      const name = first.name.value
      const field = declared.getFields()[name]
      const at = [...path, key]
      const top = root === '' ? name : root
      const inner = field
        ? inside(
            field.type,
            nodes.flatMap((it) => it.selectionSet ?? []),
            value[key],
            at,
            top,
          )
        : value[key]
      const rule = rules[`${type}.${name}`] ?? (name === '__typename' ? rules['*.__typename'] : rules['*'])
      const args = field && rule ? getArgumentValues(field, first, variables) : {}
      const after = rule ? rule(inner, { path: at, root: top, args, parent: value, via }) : inner
      if (after !== DROP) made[keyOf(key, name)] = after
    }
    const rule = rules[type]
    return rule ? rule(made, { path, root, args: {}, parent: value, via: new Set() }) : made
  }

  function inside(
    type: GraphQLOutputType,
    sets: readonly SelectionSetNode[],
    value: unknown,
    path: Place['path'],
    root: string,
  ): unknown {
    const nullable = getNullableType(type)
    if (value === null || value === undefined || !isCompositeType(getNamedType(type))) return value
    if (isListType(nullable)) {
      return Array.isArray(value)
        ? value.map((it, at) => inside(nullable.ofType, sets, it, [...path, at], root))
        : value
    }
    const members = value as Readonly<Record<string, unknown>>
    const named = getNamedType(type)
    const name = isObjectType(named) ? named.name : String(members['__typename'])
    return object(name, sets, members, path, root)
  }

  const made = object('Query', [operation.selectionSet], data, [], '')
  return made as Readonly<Record<string, unknown>>
}

/** A target with changed answers. */
export const mapFields =
  (rules: AnswerRules, keyOf?: Walk['keyOf']): Wrap =>
  (target, { schema }) => ({
    ...target,
    async send(request, options) {
      const answer = await target.send(request, options)
      const names = Object.keys(rules).map((it) => it.split('.')[1] ?? '')
      // Skips documents without the changed fields, and introspection, which is not in this schema.
      const touched = (query: string) =>
        !/__schema|__type\b/.test(query) &&
        (keyOf !== undefined || names.some((name) => query.includes(name === '*' ? '' : name)))
      const { data } = answer.body
      if (!data || !touched(request.query)) return answer
      const { query, variables: sent } = oneOperation(request)
      const document = parsed(query)
      const [only] = document.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
      const variables = { ...(only && defaultsOf(only)), ...sent }
      const walk = { schema, document, variables, rules, ...(keyOf ? { keyOf } : {}) }
      return { ...answer, body: { ...answer.body, data: walkAnswer(walk, data) } }
    },
  })

/** A rule for one root field only. */
export const under =
  (root: string, rule: AnswerRule): AnswerRule =>
  (value, place) =>
    place.root === root ? rule(value, place) : value
