/** Data from a text of JSON or YAML, with the line of every part: JSON is YAML, so one parser reads both. */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'
import type { Path, Problem } from './forms.js'

export interface Located {
  readonly data: unknown
  /** The line of a part, counted from 1. */
  readonly lineOf: (problem: Pick<Problem, 'path' | 'at'>) => number
}

/** What is wrong with a text, and where. */
export class SyntaxProblem extends Error {
  override readonly name = 'SyntaxProblem'
  readonly line: number
  constructor(line: number, message: string) {
    super(message)
    this.line = line
  }
}

/** Loaded with the first file: the parser costs more time than the rest of a start. */
let yaml: typeof Yaml | undefined
const load = createRequire(import.meta.url)

/** So often may anchors be used: data that names itself can grow without end. */
const maxAliasCount = 100

/** Throws a SyntaxProblem. */
export function parseLocated(text: string): Located {
  yaml ??= load('yaml') as typeof Yaml
  const lines = new yaml.LineCounter()
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  refuseDepth(text)
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    // Whatever a %YAML line says: 1.1 reads dates and merges.
    schema: 'core',
    stringKeys: true,
    prettyErrors: false,
    // Nothing is written anywhere; 'silent' would also take the rest of a text for granted.
    logLevel: 'error',
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw new SyntaxProblem(lineAt(problem.pos[0]), wordsOf(problem))
  return {
    data: plain(document),
    lineOf: ({ path, at }) => lineAt(offsetOf(document, path, at)),
  }
}

/** Errors of the parser that say less than they could. */
const words: Readonly<Record<string, string>> = {
  DUPLICATE_KEY: 'This member is there twice. Take one out',
  MULTIPLE_DOCS: 'A file holds one world. Take out what follows ---',
  NON_STRING_KEY: 'The name of a member must be a text',
}

const wordsOf = ({ code, message }: Yaml.YAMLParseError | Yaml.YAMLWarning) =>
  `${words[code] ?? message.split('\n')[0]?.replace(/[.:]$/, '')}.`

function plain(document: Yaml.Document): unknown {
  try {
    return document.toJS({ maxAliasCount })
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error
    const few = error.message.startsWith('Excessive')
      ? `There are more than ${maxAliasCount} uses of anchors (*name). Write out what they stand for.`
      : `${error.message}.`
    throw new SyntaxProblem(1, few)
  }
}

const maxDepth = 100

/** The parser calls itself for each level, and a process that has no room left for that can end without a word. */
function refuseDepth(text: string): void {
  let [line, brackets, dashes, isScalar] = [1, 0, 0, false]
  for (const token of new (yaml as typeof Yaml).Lexer().lex(text)) {
    line += token.split('\n').length - 1
    if (token.startsWith('\n') || token.startsWith('\r')) dashes = 0
    if (!isScalar && (token === '[' || token === '{')) brackets += 1
    if (!isScalar && (token === ']' || token === '}')) brackets -= 1
    if (!isScalar && (token === '-' || token === '?')) dashes += 1
    const indent = !isScalar && dashes === 0 && /^ +$/.test(token) ? token.length : 0
    if (brackets + dashes + indent > maxDepth) throw new SyntaxProblem(line, 'The text is nested too deeply.')
    isScalar = token === scalarFollows
  }
}

/** What the lexer puts before each text that is a value or name. */
const scalarFollows = '\u001f'

/** Where a part begins; where it is not there, the last part before it that is. */
function offsetOf(document: Yaml.Document, path: Path, at: Problem['at']): number {
  const { isAlias, isMap, isScalar, isSeq } = yaml as typeof Yaml
  const startOf = (it: unknown) => (it as Yaml.Node | null | undefined)?.range?.[0]
  let node: unknown = document.contents
  let offset = startOf(node) ?? 0
  for (const [depth, step] of path.entries()) {
    if (isAlias(node)) node = node.resolve(document)
    const pair = isMap(node) ? node.items.find(({ key }) => isScalar(key) && String(key.value) === step) : undefined
    if (!pair && !isSeq(node)) return offset
    const isLast = depth === path.length - 1
    node = isSeq(node) ? node.items[Number(step)] : pair?.value
    offset = (isLast && at === 'name' ? startOf(pair?.key) : undefined) ?? startOf(node) ?? startOf(pair?.key) ?? offset
  }
  return offset
}
