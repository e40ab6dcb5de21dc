/** Documents held to the limits, before time and memory are spent on them. */
import {
  GraphQLError,
  Kind,
  Lexer,
  Source,
  TokenKind,
  visit,
  type DefinitionNode,
  type DocumentNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql'
import { serviceError } from './errors.js'
import { limitFlag, limitRules, type LimitName, type Limits } from './limit-rules.js'

/** The error of something that has more than it may. */
export function overLimit(what: string, name: LimitName, most: number): GraphQLError {
  return serviceError(
    'LIMIT',
    `${what} has more than ${most} ${limitRules[name].of}. Ask for less, or set ${limitFlag(name)}.`,
  )
}

const opening: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const closing: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/**
 * What is wrong with a text before it is parsed: the parser goes down a level for each bracket and would run out of
 * stack long before any rule could look at the result.
 */
export function limitOfText(text: string, { tokens, depth }: Limits): GraphQLError | undefined {
  const lexer = new Lexer(new Source(text))
  let level = 0
  try {
    for (let count = 1; lexer.advance().kind !== TokenKind.EOF; count++) {
      if (count > tokens) return overLimit('The document', 'tokens', tokens)
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

/**
 * How many fields a document selects, or what it has too much of. Looked at before it is validated, because the rules
 * and the execution take time that grows with these counts.
 */
export function sizeOfDocument(document: DocumentNode, limits: Limits): number | GraphQLError {
  const counts = { aliases: 0, directives: 0 }
  visit(document, {
    Field: ({ alias }) => void (counts.aliases += alias ? 1 : 0),
    Directive: () => void (counts.directives += 1),
  })
  const sizes = document.definitions.map(measure(document, limits.depth))
  const depth = Math.max(0, ...sizes.map((size) => size.depth))
  const fields = sizes.reduce((sum, size) => sum + size.fields, 0)
  const counted = Object.entries({ depth, ...counts, fields }) as [LimitName, number][]
  const over = counted.find(([name, count]) => count > limits[name])
  return over ? overLimit('The document', over[0], limits[over[0]]) : fields
}

function measure(document: DocumentNode, mostDepth: number): (definition: DefinitionNode) => Size {
  const fragments = new Map<string, SelectionSetNode>()
  for (const it of document.definitions) {
    if (it.kind === Kind.FRAGMENT_DEFINITION) fragments.set(it.name.value, it.selectionSet)
  }
  const known = new Map<string, Size>()
  const open = new Set<string>()

  function sizeOf(set: SelectionSetNode, level: number): Size {
    // Deeper than it may be is deep enough to know: going on could run out of stack.
    if (level > mostDepth) return { fields: 0, depth: Infinity }
    let fields = 0
    let depth = 0
    for (const selection of set.selections) {
      const inner = innerOf(selection, level + 1)
      fields += inner.fields + (selection.kind === Kind.FIELD ? 1 : 0)
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
    // A fragment that is missing or spreads itself is for validation to name.
    if (size || !set || open.has(name)) return size ?? nothing
    open.add(name)
    const measured = sizeOf(set, level)
    open.delete(name)
    known.set(name, measured)
    return measured
  }

  return (definition) => (definition.kind === Kind.OPERATION_DEFINITION ? sizeOf(definition.selectionSet, 1) : nothing)
}

/** Whether a JSON value nests deeper than so many levels. It goes level by level, so no depth can hurt it. */
export function isDeeper(value: unknown, most: number): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > most) return true
    level = level.flatMap((it) => (typeof it === 'object' && it !== null ? Object.values(it) : []))
  }
  return false
}
