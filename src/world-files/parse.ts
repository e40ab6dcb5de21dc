/** Parses YAML, and JSON as a part of it, with the line of each value; writes YAML. */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

export interface Parsed {
  readonly data: unknown
  /** The line of a value, counted from 1, or of the nearest part of the path that exists. */
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

const load = createRequire(import.meta.url)

/** Throws an Error in one line that begins with `file`. */
export function parseWithLines(text: string, file: string): Parsed {
  // Loaded with the first file: the parser takes longer than the rest of the start.
  const { LineCounter, parseDocument, isNode } = load('yaml') as typeof Yaml
  const lines = new LineCounter()
  const lineAt = (offset = 0) => Math.max(1, lines.linePos(offset).line)
  const document = parseDocument(text, {
    lineCounter: lines,
    // A %YAML 1.1 line would turn dates and `no` into something else.
    schema: 'core',
    merge: true,
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'error',
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw new Error(`${file}:${lineAt(problem.pos[0])}: ${messageOf(problem)}.`)
  const lineOf = (path: readonly PropertyKey[]): number => {
    const node = document.getIn(path, true)
    if (path.length === 0 || (isNode(node) && node.range)) return lineAt(isNode(node) ? node.range?.[0] : 0)
    return lineOf(path.slice(0, -1))
  }
  try {
    return { data: document.toJS(), lineOf }
  } catch (error) {
    // An unknown alias, or a few nested ones that stand for gigabytes.
    throw new Error(`${file}: ${(error as Error).message}.`, { cause: error })
  }
}

/** Writes YAML. A text stays on its line. */
export const yamlText = (value: unknown): string => (load('yaml') as typeof Yaml).stringify(value, { lineWidth: 0 })

const messageOf = ({ code, message }: Yaml.YAMLParseError | Yaml.YAMLWarning) =>
  code === 'MULTIPLE_DOCS'
    ? 'A file holds one document. Remove what follows ---'
    : message.replace(/[.:]?(\n.*)?$/s, '')
