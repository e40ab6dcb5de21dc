/** Checks documents and variables against the limits before time and memory are spent on them. */
import {
  Kind,
  Lexer,
  Source,
  TokenKind,
  visit,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLError,
} from 'graphql'
import { serviceError } from '../../shared/service-error.js'
import { limitMessage, type LimitName, type Limits } from './limit-rules.js'

/** The error for exceeding a limit: "The document has more than 50 levels. …" */
export const overLimit = (subject: string, name: LimitName, max: number): GraphQLError =>
  serviceError('LIMIT', limitMessage(subject, name, max))

const opening: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L]
const closing: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R]

/** Throws if a text exceeds a limit. It must not be parsed then: the parser recurses into brackets. */
export function checkText(text: string, { tokens, textLength, depth }: Limits): void {
  const lexer = new Lexer(new Source(text))
  let level = 0
  for (let count = 1; lexer.advance().kind !== TokenKind.EOF; count++) {
    const { kind, start, end } = lexer.token
    if (count > tokens) throw overLimit('The document', 'tokens', tokens)
    if (end - start > textLength) throw overLimit('A token of the document', 'textLength', textLength)
    if (closing.includes(kind)) level -= 1
    if (opening.includes(kind)) level += 1
    if (level > depth) throw overLimit('The document', 'depth', depth)
  }
}

export interface DocumentSize {
  /** How many fields the operations select; a fragment counts each time it is used. */
  readonly fields: number
  /** Whether a fragment spreads itself, directly or through others. */
  readonly cyclic: boolean
}

/** Throws if a document exceeds a limit. It must not be validated then: validation takes time that grows with its size. */
export function measureDocument(document: DocumentNode, limits: Limits): DocumentSize {
  const counts = { aliases: 0, directives: 0 }
  visit(document, {
    Field: ({ alias }) => void (counts.aliases += alias ? 1 : 0),
    Directive: () => void (counts.directives += 1),
  })
  const { depth, fields, cyclic } = measureSelections(document, limits.depth)
  for (const [name, count] of Object.entries({ depth, ...counts, fields }) as [LimitName, number][]) {
    if (count > limits[name]) throw overLimit('The document', name, limits[name])
  }
  return { fields, cyclic }
}

/** The size of a selection with its fragments inlined. */
interface Size {
  readonly fields: number
  readonly depth: number
}

const empty: Size = { fields: 0, depth: 0 }

/** A field of introspection lists the whole schema, and the row budget does not see it. */
const introspectionWeight = 20

function measureSelections({ definitions }: DocumentNode, maxDepth: number): Size & DocumentSize {
  const fragments = definitions.filter((it) => it.kind === Kind.FRAGMENT_DEFINITION)
  const fragmentNamed = new Map(fragments.map((it) => [it.name.value, it]))
  const known = new Map<string, Size>()
  const open = new Set<string>()
  let cyclic = false

  function sizeOf(node: ASTNode, level: number): Size {
    if (!('selectionSet' in node) || !node.selectionSet) return empty
    // Deeper recursion could overflow the stack.
    if (level > maxDepth) return { fields: 0, depth: Infinity }
    let fields = 0
    let depth = 0
    for (const selection of node.selectionSet.selections) {
      const inner =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? sizeOfFragment(selection.name.value, level + 1)
          : sizeOf(selection, level + 1)
      fields += selection.kind === Kind.FIELD ? 1 + weightOf(selection) * inner.fields : inner.fields
      depth = Math.max(depth, inner.depth)
    }
    return { fields, depth: depth + 1 }
  }

  function sizeOfFragment(name: string, level: number): Size {
    const fragment = fragmentNamed.get(name)
    if (open.has(name)) cyclic = true
    // Validation reports a fragment that is missing or cyclic.
    if (!fragment || open.has(name)) return empty
    open.add(name)
    const size = known.get(name) ?? sizeOf(fragment, level)
    open.delete(name)
    known.set(name, size)
    return size
  }

  const sizes = definitions.map((it) => ({ kind: it.kind, ...sizeOf(it, 1) }))
  const operations = sizes.filter(({ kind }) => kind === Kind.OPERATION_DEFINITION)
  return {
    fields: operations.reduce((sum, { fields }) => sum + fields, 0),
    depth: sizes.reduce((max, { depth }) => Math.max(max, depth), 0),
    cyclic,
  }
}

const weightOf = ({ name }: FieldNode) => (['__schema', '__type'].includes(name.value) ? introspectionWeight : 1)

/** Returns the error if the variables of a request exceed a limit. */
export function variablesError(variables: unknown, limits: Limits): GraphQLError | undefined {
  // The object that holds the variables does not count.
  let count = -1

  function exceeded(value: unknown, level: number): LimitName | undefined {
    count += 1
    if (level > limits.depth) return 'depth'
    if (count > limits.variables) return 'variables'
    if (typeof value === 'string') return value.length > limits.textLength ? 'textLength' : undefined
    if (typeof value !== 'object' || value === null) return undefined
    for (const [name, inner] of Object.entries(value)) {
      const over = name.length > limits.textLength ? 'textLength' : exceeded(inner, level + 1)
      if (over) return over
    }
    return undefined
  }

  const name = exceeded(variables, 0)
  return name && overLimit(subjects[name] ?? 'The object of variables', name, limits[name])
}

const subjects: Partial<Record<LimitName, string>> = { depth: 'A variable', textLength: 'A string in the variables' }
