/** Documents held to the limits, before time and memory are spent on them. */
import {
  GraphQLError,
  Kind,
  Lexer,
  Source,
  TokenKind,
  visit,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { serviceError } from '../../shared/service-error.js'
import { limitMessage, type LimitName, type Limits } from './limit-rules.js'

/** The error for exceeding a limit: "The document has more than 50 levels. …" */
export const overLimit = (subject: string, name: LimitName, max: number): GraphQLError =>
  serviceError('LIMIT', limitMessage(subject, name, max))

const opening: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const closing: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/**
 * What is wrong with a text before it is parsed: the parser goes down a level for each bracket and would run out of
 * stack long before any rule could look at the result.
 */
export function limitOfText(text: string, { tokens, textLength, depth }: Limits): GraphQLError | undefined {
  // The lexer passes over comments by itself, and takes its time for each.
  if (text.split('#', tokens + 2).length > tokens + 1) return overLimit('The document', 'tokens', tokens)
  const lexer = new Lexer(new Source(text))
  let level = 0
  try {
    for (let count = 1; lexer.advance().kind !== TokenKind.EOF; count++) {
      if (count > tokens) return overLimit('The document', 'tokens', tokens)
      const { start, end } = lexer.token
      if (end - start > textLength) return overLimit('A token of the document', 'textLength', textLength)
      if (closing.includes(lexer.token.kind)) level -= 1
      if (!opening.includes(lexer.token.kind)) continue
      level += 1
      if (level > depth) return overLimit('The document', 'depth', depth)
    }
  } catch (error) {
    if (error instanceof GraphQLError) return error
    throw error
  }
  return undefined
}

/** What a selection comes to when each fragment is written out where it is used. */
interface Size {
  readonly fields: number
  readonly depth: number
}

const nothing: Size = { fields: 0, depth: 0 }

export interface DocumentSize {
  /** How many fields the operations select, each fragment counted where it is used. */
  readonly fields: number
  /** Whether a fragment spreads itself, directly or by others. */
  readonly cyclic: boolean
}

/**
 * How large a document is, or what it has too much of. Looked at before it is validated, because the rules and the
 * execution take time that grows with these counts, and the rules go down into fragments that nothing uses, too.
 */
export function sizeOfDocument(document: DocumentNode, limits: Limits): DocumentSize | GraphQLError {
  const counts = { aliases: 0, directives: 0 }
  visit(document, {
    Field: ({ alias }) => void (counts.aliases += alias ? 1 : 0),
    Directive: () => void (counts.directives += 1),
  })
  const { depth, fields, cyclic } = measure(document, limits.depth)
  const counted = Object.entries({ depth, ...counts, fields }) as [LimitName, number][]
  const over = counted.find(([name, count]) => count > limits[name])
  return over ? overLimit('The document', over[0], limits[over[0]]) : { fields, cyclic }
}

/** Introspection answers with lists of the whole schema in each other, and no budget of rows sees them. */
const weightOf = (selection: SelectionNode): number =>
  selection.kind === Kind.FIELD && ['__schema', '__type'].includes(selection.name.value) ? 20 : 1

function measure(document: DocumentNode, maxDepth: number): Size & DocumentSize {
  const fragments = new Map<string, SelectionSetNode>()
  for (const it of document.definitions) {
    if (it.kind === Kind.FRAGMENT_DEFINITION) fragments.set(it.name.value, it.selectionSet)
  }
  const known = new Map<string, Size>()
  const open = new Set<string>()
  let cyclic = false

  function sizeOf(set: SelectionSetNode, level: number): Size {
    // Deeper than it may be is deep enough to know: going on could run out of stack.
    if (level > maxDepth) return { fields: 0, depth: Infinity }
    let fields = 0
    let depth = 0
    for (const selection of set.selections) {
      const inner = innerOf(selection, level + 1)
      fields += inner.fields * weightOf(selection) + (selection.kind === Kind.FIELD ? 1 : 0)
      depth = Math.max(depth, inner.depth)
    }
    return { fields, depth: depth + 1 }
  }

  function innerOf(selection: SelectionNode, level: number): Size {
    if (selection.kind !== Kind.FRAGMENT_SPREAD) {
      return selection.selectionSet ? sizeOf(selection.selectionSet, level) : nothing
    }
    const name = selection.name.value
    const set = fragments.get(name)
    const size = known.get(name)
    if (open.has(name)) cyclic = true
    // A fragment that is missing or spreads itself is for validation to name.
    if (size || !set || open.has(name)) return size ?? nothing
    open.add(name)
    const measured = sizeOf(set, level)
    open.delete(name)
    known.set(name, measured)
    return measured
  }

  let fields = 0
  let depth = 0
  for (const definition of document.definitions) {
    if (!('selectionSet' in definition)) continue
    const size = sizeOf(definition.selectionSet, 1)
    depth = Math.max(depth, size.depth)
    if (definition.kind === Kind.OPERATION_DEFINITION) fields += size.fields
  }
  return { fields, depth, cyclic }
}

/** What is wrong with the variables of a request, whatever they are for. */
export function limitOfVariables(given: unknown, limits: Limits): GraphQLError | undefined {
  // The object that holds the variables is none of them.
  let count = -1

  // Ends at the depth that is allowed, before it could run out of stack.
  function limitOf(value: unknown, level: number): LimitName | undefined {
    count += 1
    if (level > limits.depth) return 'depth'
    if (count > limits.variables) return 'variables'
    if (typeof value === 'string') return value.length > limits.textLength ? 'textLength' : undefined
    if (typeof value !== 'object' || value === null) return undefined
    for (const name of Object.keys(value)) {
      if (name.length > limits.textLength) return 'textLength'
      const over = limitOf((value as Record<string, unknown>)[name], level + 1)
      if (over) return over
    }
    return undefined
  }

  const over = limitOf(given, 0)
  return over && overLimit(overlong[over] ?? 'The object of variables', over, limits[over])
}

/** What is too long or too deep, where it is one of many. */
const overlong: Partial<Record<LimitName, string>> = { depth: 'A variable', textLength: 'A text in the variables' }

/**
 * How many characters the names and values of a JSON value have; where it is more than so many, some number above it.
 * Execution only refers to a long text; an answer that repeats it could not be written out any more.
 */
export function lengthUpTo(value: unknown, most: number): number {
  let length = 0
  function take(it: unknown): void {
    if (length > most) return
    if (typeof it === 'string') length += it.length
    else if (typeof it !== 'object' || it === null) length += 1
    else if (Array.isArray(it)) it.forEach(take)
    else {
      for (const name of Object.keys(it)) {
        length += name.length
        take((it as Record<string, unknown>)[name])
      }
    }
  }
  take(value)
  return length
}
