/** A target that reads whole lists from another target and cuts the pages itself; each step can be changed. */
import {
  getArgumentValues,
  Kind,
  print,
  separateOperations,
  validate,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type OperationDefinitionNode,
} from 'graphql'
import { operation, withLiterals } from '../../src/contract/operation.js'
import type { GraphqlError, GraphqlRequest, Target } from '../../src/client/target.js'
import type { Shapes } from '../../src/contract/shape.js'
import { oneOperation, parsed, selectedFields, walkAnswer } from './response-walk.js'
import type { Wrap } from './mutant.js'

export interface Asked {
  readonly list: string
  readonly query: string
  readonly first: number | undefined
  readonly after: string | undefined
  /** How many requests were received, this one included. */
  readonly call: number
}

/** An element of the whole list. */
export interface Element {
  /** Its position in the list of the other target, from 0. */
  readonly index: number
  readonly id: string
  readonly cursor: string
}

/** The part of a list to return. */
export interface Part {
  readonly asked: Asked
  /** The list of this server. */
  readonly rows: readonly Element[]
  readonly from: number
  readonly to: number
  readonly page: readonly Element[]
  /** The maximum number of elements. */
  readonly size: number
}

/** The steps that can be changed. */
export interface ListingRules {
  /** The message if the server rejects the request. */
  readonly reject?: (asked: Asked) => string | undefined
  /** The list of this server. */
  readonly rows?: (rows: readonly Element[], asked: Asked) => readonly Element[]
  /** The cursor of an edge, and the way back. */
  readonly cursor?: (element: Element, part: Part) => string | null
  readonly readCursor?: (text: string, asked: Asked) => string
  /** The position of the first element of the page. */
  readonly start?: (asked: Asked, rows: readonly Element[], usual: number) => number
  /** The maximum number of elements. */
  readonly size?: (asked: Asked) => number
  /** The elements of the page. */
  readonly page?: (page: readonly Element[], part: Part) => readonly Element[]
  readonly hasNextPage?: (usual: boolean, part: Part) => boolean | null
  readonly endCursor?: (usual: string | null, part: Part) => string | null
}

const everything = 2000
const defaultSize = 25

/** Changes the named listings; the other target answers the rest of a request. */
export const listingProxy =
  (rules: ListingRules, lists: readonly string[] = ['segments', 'customers']): Wrap =>
  (target, shapes) => {
    const wholes = new Map<string, Promise<Whole>>()
    let call = 0
    return {
      ...target,
      async send(given, options) {
        const request = oneOperation(given)
        const split = splitDocument(request, shapes, lists)
        if (!split) {
          const answer = await target.send(request, options)
          // The mutation may have changed a list.
          if (/\bmutation\b/.test(request.query)) wholes.clear()
          return answer
        }
        call += 1
        const rest = split.rest === undefined ? undefined : await target.send({ query: split.rest }, options)
        if (rest && !rest.body.data) return rest
        const data: Record<string, unknown> = { ...rest?.body.data }
        const errors: GraphqlError[] = [...(rest?.body.errors ?? [])]
        for (const listing of split.listings) {
          const known = wholes.get(listing.text) ?? readWhole(target, listing.text)
          wholes.set(listing.text, known)
          const whole = await known
          const page = pageOf(whole, { ...listing, call }, rules, shapes)
          data[listing.key] = 'error' in page ? null : page.value
          if ('error' in page) errors.push({ message: page.error, path: [listing.key] })
        }
        const body = { data, ...(errors.length > 0 ? { errors } : {}) }
        return { status: 200, body, ms: 0 }
      },
    }
  }

interface ListingField {
  readonly key: string
  readonly list: string
  readonly args: Readonly<Record<string, unknown>>
  /** The requested field in its own document. */
  readonly document: DocumentNode
  /** The document of the whole list, with cursors and ids. */
  readonly text: string
}

interface Split {
  readonly listings: readonly ListingField[]
  /** The rest of the document. */
  readonly rest: string | undefined
}

const splits = new Map<string, Split | undefined>()

function splitDocument(request: GraphqlRequest, { schema }: Shapes, lists: readonly string[]): Split | undefined {
  if (!lists.some((list) => request.query.includes(list))) return undefined
  const memo = JSON.stringify([request.query, request.variables, lists])
  if (splits.has(memo)) return splits.get(memo)
  const made = split()
  splits.set(memo, made)
  return made

  function split(): Split | undefined {
    const given = parsed(request.query)
    if (validate(schema, given).length > 0) return undefined
    const literal = parsed(withLiterals(operation(request.query, request.variables ?? {}), schema))
    const fragments = literal.definitions.filter((it) => it.kind === Kind.FRAGMENT_DEFINITION)
    const [query] = literal.definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
    const root = schema.getQueryType()
    if (!query || !root || query.operation !== 'query') return undefined
    const listings: ListingField[] = []
    const others: FieldNode[] = []
    for (const [key, { nodes }] of selectedFields({ schema, document: literal }, 'Query', [query.selectionSet])) {
      const [first] = nodes
      const field = root.getFields()[first?.name.value ?? '']
      if (!first || !field || !lists.includes(field.name)) others.push(...nodes)
      else {
        const selections = nodes.flatMap((it) => it.selectionSet?.selections ?? [])
        const one: FieldNode = { ...first, selectionSet: { kind: Kind.SELECTION_SET, selections } }
        listings.push({
          key,
          list: field.name,
          args: getArgumentValues(field, first),
          document: alone([one], fragments),
          text: print(alone([wholeField(one)], fragments)),
        })
      }
    }
    return { listings, rest: others.length > 0 ? print(alone(others, fragments)) : undefined }
  }
}

function alone(fields: readonly FieldNode[], fragments: readonly FragmentDefinitionNode[]): DocumentNode {
  const query = {
    kind: Kind.OPERATION_DEFINITION,
    operation: 'query',
    selectionSet: { kind: Kind.SELECTION_SET, selections: fields },
  } as OperationDefinitionNode
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [query, ...fragments] }
  return separateOperations(document)[''] ?? document
}

function wholeField(field: FieldNode): FieldNode {
  const [added] = parsed('{ whole_: edges { cursor node { id } } }').definitions
  const query = field.arguments?.filter((it) => it.name.value === 'query') ?? []
  const [sized] = parsed(`{ list(first: ${everything}) }`).definitions
  const first = (sized as OperationDefinitionNode).selectionSet.selections[0] as FieldNode
  const selections = [
    ...(field.selectionSet?.selections ?? []),
    ...(added as OperationDefinitionNode).selectionSet.selections,
  ]
  return {
    ...field,
    alias: { kind: Kind.NAME, value: 'all_' },
    arguments: [...query, ...(first.arguments ?? [])],
    selectionSet: { kind: Kind.SELECTION_SET, selections },
  }
}

/** A whole list, or the message with which the other target rejects it. */
type Whole = { readonly value: Readonly<Record<string, unknown>>; readonly rows: readonly Element[] } | string

async function readWhole(target: Target, text: string): Promise<Whole> {
  const { body } = await target.send({ query: text })
  const value = body.data?.['all_'] as Readonly<Record<string, unknown>> | null | undefined
  if (!value) return body.errors?.[0]?.message ?? 'There is no list.'
  const edges = value['whole_'] as readonly { readonly cursor: string; readonly node: { readonly id: string } }[]
  return { value, rows: edges.map(({ cursor, node: { id } }, index) => ({ index, id, cursor })) }
}

type Answered = { readonly value: unknown } | { readonly error: string }

function pageOf(
  whole: Whole,
  { key, list, args, document, call }: ListingField & { readonly call: number },
  rules: ListingRules,
  { schema }: Shapes,
): Answered {
  if (typeof whole === 'string') return { error: whole }
  const asked: Asked = {
    list,
    query: String(args['query']),
    first: (args['first'] ?? undefined) as number | undefined,
    after: (args['after'] as string | null) || undefined,
    call,
  }
  const rejected = rules.reject?.(asked)
  if (rejected !== undefined) return { error: rejected }
  const rows = rules.rows?.(whole.rows, asked) ?? whole.rows
  const size = rules.size?.(asked) ?? asked.first ?? defaultSize
  if (size < 0) return { error: '`first` must not be negative.' }
  const text = asked.after && (rules.readCursor?.(asked.after, asked) ?? asked.after)
  const usualStart = text === undefined ? 0 : rows.findIndex((it) => it.cursor === text) + 1
  const start = rules.start?.({ ...asked, after: text }, rows, usualStart) ?? usualStart
  if (text !== undefined && start === 0 && !rules.start) return { error: 'Unknown cursor.' }
  const [from, to] = [Math.max(0, start), Math.min(rows.length, Math.max(0, start) + size)]
  const before: Part = { asked, rows, from, to, page: rows.slice(from, to), size }
  const part: Part = { ...before, page: rules.page?.(before.page, before) ?? before.page }
  const cursorOf = (element: Element) => (rules.cursor ? rules.cursor(element, part) : element.cursor)
  const last = part.page.at(-1)
  const usualEnd = last ? cursorOf(last) : null
  const endCursor = rules.endCursor ? rules.endCursor(usualEnd, part) : usualEnd
  const hasNextPage = rules.hasNextPage ? rules.hasNextPage(to < rows.length, part) : to < rows.length
  const cut = { [key]: cutTo(whole.value, part.page, document, schema) }
  const cursor = (_: unknown, { path }: { readonly path: readonly (string | number)[] }) =>
    cursorOf(part.page[path[2] as number] as Element)
  const made = walkAnswer(
    {
      schema,
      document,
      rules: {
        'CustomerEdge.cursor': cursor,
        'SegmentEdge.cursor': cursor,
        'PageInfo.endCursor': () => endCursor,
        'PageInfo.hasNextPage': () => hasNextPage,
        'PageInfo.hasPreviousPage': () => from > 0,
        'PageInfo.startCursor': () => (part.page[0] ? cursorOf(part.page[0]) : null),
      },
    },
    cut,
  )
  return { value: made[key] }
}

/** The connection with the edges of one page. `walkAnswer` drops the fields that only this file requested. */
function cutTo(
  value: Readonly<Record<string, unknown>>,
  page: readonly Element[],
  document: DocumentNode,
  schema: Shapes['schema'],
): Readonly<Record<string, unknown>> {
  const [query] = document.definitions
  const [field] = (query as OperationDefinitionNode).selectionSet.selections as readonly FieldNode[]
  const type = schema.getQueryType()?.getFields()[field?.name.value ?? '']?.type
  const selected = selectedFields({ schema, document }, String(type), field?.selectionSet ? [field.selectionSet] : [])
  const members = [...selected].map(([key, { nodes }]) => {
    if (nodes[0]?.name.value !== 'edges') return [key, value[key]]
    const edges = value[key] as readonly unknown[]
    return [key, page.map(({ index }) => edges[index])]
  })
  return Object.fromEntries(members) as Readonly<Record<string, unknown>>
}
