/** An answer of a server for people: JSON is indented, and what the finding is about is marked. */
import { html, preformatted, type Content } from './markup.js'

/** A longer object or list is broken into lines. */
const maxWidth = 72

/** What is marked: a member and its value, a string, or a word. */
const markable = /"(?:[^"\\]|\\.)*"(?:\s*:\s*(?:"(?:[^"\\]|\\.)*"|[[{]|[^\s,\]}]+))?|[\w.=+/-]+/y

/** @param focuses where in the answer that begins; 0 if it is not known */
export function markedAnswer(answer: string, focuses: Iterable<number>): Content {
  const breaks = breaksOf(answer)
  /** A break belongs to what comes before it. */
  const shown = (from: number, to: number) => {
    const own = breaks.filter(([at]) => at > from && at <= to)
    const starts = [from, ...own.map(([at]) => at)]
    return preformatted(starts.map((at, n) => answer.slice(at, own[n]?.[0] ?? to) + (own[n]?.[1] ?? '')).join(''))
  }
  const content: Content[] = []
  let end = 0
  for (const focus of [...focuses].toSorted((a, b) => a - b)) {
    if (focus <= 0 || focus < end) continue
    markable.lastIndex = focus
    const [marked = ''] = markable.exec(answer) ?? []
    content.push(shown(end, focus), html`<mark>${shown(focus, focus + marked.length)}</mark>`)
    end = focus + marked.length
  }
  return [content, shown(end, answer.length)]
}

type Break = readonly [at: number, text: string]

/** What is inserted into JSON, perhaps cut at both ends, to make it readable. */
function breaksOf(answer: string): readonly Break[] {
  if (!/^…|^[[{]/.test(answer) || !answer.includes('":') || answer.includes('\n')) return []
  // A cut text can begin inside a string.
  const [before = ''] = /^…[^"]*"(?=[,:\]}])/.exec(answer) ?? []
  const tokens = [...answer.slice(before.length).matchAll(/"(?:[^"\\]|\\.)*"?|[[\]{},:]/g)]
    .map(({ 0: text, index }) => ({ text, at: index + before.length }))
    .filter(({ text }) => !text.startsWith('"'))
  const { ends, unopened } = groupsIn(tokens)
  const open: boolean[] = Array<boolean>(unopened).fill(true)
  const newLine = () => `\n${'  '.repeat(open.filter(Boolean).length)}`
  return tokens.flatMap(({ text, at }): readonly Break[] => {
    if (text === '{' || text === '[') {
      const isBroken = (ends.get(at) ?? Infinity) - at > maxWidth
      open.push(isBroken)
      return isBroken ? [[at + 1, newLine()]] : []
    }
    if (text === ',') return [[at + 1, (open.at(-1) ?? true) ? newLine() : ' ']]
    if (text === ':') return [[at + 1, ' ']]
    return open.pop() ? [[at, newLine()]] : []
  })
}

/** Where each bracket is closed, and how many are closed that the text does not open. */
function groupsIn(tokens: readonly { readonly text: string; readonly at: number }[]) {
  const ends = new Map<number, number>()
  const open: number[] = []
  let unopened = 0
  for (const { text, at } of tokens) {
    if (text === '{' || text === '[') open.push(at)
    else if (text === '}' || text === ']') {
      const start = open.pop()
      if (start === undefined) unopened += 1
      else ends.set(start, at)
    }
  }
  return { ends, unopened }
}
