/** Parses YAML, and JSON as a part of it, with the line of each value. */
import { createRequire } from 'node:module'
import type * as Yaml from 'yaml'

export interface Parsed {
  readonly data: unknown
  /** The line of a value, counted from 1: that of its key, or of the nearest part of the path that exists. */
  readonly lineOf: (path: readonly PropertyKey[]) => number
}

const load = createRequire(import.meta.url)

/** Throws an Error in one line that begins with `file`. */
export function parseWithLines(text: string, file: string): Parsed {
  // Loaded with the first file: the parser takes longer than the rest of the start.
  const yaml = load('yaml') as typeof Yaml
  const lines = new yaml.LineCounter()
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line)
  const document = yaml.parseDocument(text, {
    lineCounter: lines,
    // A %YAML 1.1 line would turn dates and `no` into something else.
    schema: 'core',
    stringKeys: true,
    prettyErrors: false,
    logLevel: 'error',
  })
  const [problem] = [...document.errors, ...document.warnings]
  if (problem) throw new Error(`${file}:${lineAt(problem.pos[0])}: ${messageOf(problem)}.`)
  return { data: dataOf(document, file), lineOf: (path) => lineAt(offsetOf(yaml, document, path)) }
}

const messageOf = ({ code, message }: Yaml.YAMLParseError | Yaml.YAMLWarning) =>
  code === 'MULTIPLE_DOCS' ? 'A file holds one world. Remove what follows ---' : message.replace(/[.:]?(\n.*)?$/s, '')

function dataOf(document: Yaml.Document, file: string): unknown {
  try {
    return document.toJS()
  } catch (error) {
    // An unknown alias, or a few nested ones that stand for gigabytes.
    throw new Error(`${file}: ${(error as Error).message}.`, { cause: error })
  }
}

function offsetOf(
  { isAlias, isMap, isScalar, isSeq }: typeof Yaml,
  document: Yaml.Document,
  path: readonly PropertyKey[],
) {
  let node: unknown = document.contents
  let offset = document.contents?.range?.[0] ?? 0
  for (const key of path) {
    if (isAlias(node)) node = node.resolve(document)
    const pair = isMap(node) ? node.items.find((it) => isScalar(it.key) && it.key.value === key) : undefined
    const item = isSeq(node) ? node.items[Number(key)] : pair?.value
    offset = ((pair?.key ?? item) as Yaml.Node | undefined)?.range?.[0] ?? offset
    node = item
  }
  return offset
}
