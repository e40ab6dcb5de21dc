/** JSON for people: indented, and what a finding is about is marked. */
import { cutAround } from '../../evidence.js'
import { html, preformatted, type Content } from './markup.js'

/** A longer object or list is broken into lines. */
const maxWidth = 88

/** What is marked: a member with its value or without an object, a string, or a word. */
const markable = /"(?:[^"\\]|\\.)*"(?:\s*:\s*(?:"(?:[^"\\]|\\.)*"|\[\]|\{\}|[^\s,{}[\]]+))?|[\w.=+/-]+/y

/** The part of an answer that matters. It begins with an object, if one begins near its start. */
export function excerptOf(exchange: Parameters<typeof cutAround>[0], max: number): { answer: string; focus: number } {
  const { answer, focus = 0 } = cutAround(exchange, max)
  const start = answer.search(/(?<=[,[])\{"/)
  if (!answer.startsWith('…') || start < 1 || start > focus) return { answer, focus }
  return { answer: `…${answer.slice(start)}`, focus: focus - start + 1 }
}

/** @param focuses where in the text that begins; 0 if it is not known */
export function markedJson(text: string, focuses: Iterable<number> = []): Content {
  const breaks = breaksOf(text)
  const shown = (from: number, to: number, isMarked = false) => {
    // No mark begins or ends with a break.
    const own = breaks.filter(([at]) => (isMarked ? at > from && at < to : at >= from && at <= to))
    const starts = [from, ...own.map(([at]) => at)]
    return preformatted(starts.map((at, n) => text.slice(at, own[n]?.[0] ?? to) + (own[n]?.[1] ?? '')).join(''))
  }
  const content: Content[] = []
  let end = 0
  for (const focus of [...focuses].toSorted((a, b) => a - b)) {
    // A name is marked with its value.
    const from = text[focus - 1] === '"' ? focus - 1 : focus
    if (from <= 0 || from < end) continue
    markable.lastIndex = from
    const [marked = ''] = markable.exec(text) ?? []
    content.push(shown(end, from), html`<mark>${shown(from, from + marked.length, true)}</mark>`)
    end = from + marked.length
  }
  return [content, shown(end, text.length)]
}

type Break = readonly [at: number, text: string]

/** What is inserted into JSON, perhaps cut at both ends, to make it readable. */
function breaksOf(text: string): readonly Break[] {
  if (!/^…|^[[{]/.test(text) || !text.includes('":') || text.includes('\n')) return []
  // A cut text can begin inside a string.
  const [before = ''] = /^…[^"]*"(?=[,:\]}])/.exec(text) ?? []
  const tokens = [...text.slice(before.length).matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{},:]/g)]
    .map(({ 0: token, index }) => ({ token, at: index + before.length }))
    .filter(({ token }) => !token.startsWith('"'))
  const { ends, unopened } = groupsIn(tokens)
  const open: boolean[] = Array<boolean>(unopened).fill(true)
  const indent = () => 2 * open.filter(Boolean).length
  const newLine = () => `\n${' '.repeat(indent())}`
  return tokens.flatMap(({ token, at }): readonly Break[] => {
    if (token === '{' || token === '[') {
      const isBroken = (ends.get(at) ?? Infinity) - at > maxWidth - indent()
      open.push(isBroken)
      return isBroken ? [[at + 1, newLine()]] : []
    }
    if (token === ',') return [[at + 1, (open.at(-1) ?? true) ? newLine() : ' ']]
    if (token === ':') return [[at + 1, ' ']]
    return open.pop() ? [[at, newLine()]] : []
  })
}

/** Where each bracket is closed, and how many are closed that the text does not open. */
function groupsIn(tokens: readonly { readonly token: string; readonly at: number }[]) {
  const ends = new Map<number, number>()
  const open: number[] = []
  let unopened = 0
  for (const { token, at } of tokens) {
    if (token === '{' || token === '[') open.push(at)
    else if (token === '}' || token === ']') {
      const start = open.pop()
      if (start === undefined) unopened += 1
      else ends.set(start, at)
    }
  }
  return { ends, unopened }
}
