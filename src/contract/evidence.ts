/** The evidence of a finding: which requests contradict the promise, and where in their answers. */
import { onlyReads } from '../client/retries.js'
import type { Exchange } from './check.js'

/** By object of an answer: the request that returned it. Weak, so that answers can be freed during a run. */
const sources = new WeakMap<object, Exchange>()

/** Notes which request returned the objects in an answer. */
export function noteSource(data: unknown, exchange: Exchange): void {
  const open = [data]
  for (const value of open) {
    if (typeof value !== 'object' || value === null) continue
    sources.set(value, exchange)
    for (const it of Object.values(value)) open.push(it)
  }
}

/** The requests that returned these objects. Undefined if none of them is part of an answer. */
export function seenIn(...objects: readonly (object | null | undefined)[]): readonly Exchange[] | undefined {
  const found = objects.flatMap((it) => (it && sources.get(it)) ?? [])
  return found.length > 0 ? found : undefined
}

/** How much of an answer a report keeps. */
const maxLengthOfAnswer = 4000

/** The exchanges as a report shows them: the write first, each once, with the part of the answer that matters. */
export function evidenceFor(
  sentence: string,
  exchanges: readonly Exchange[],
  lastWrite: Exchange | undefined,
): readonly Exchange[] {
  const isWriteShown = !lastWrite || exchanges.some(({ request }) => !onlyReads(request.query))
  const all = [...new Set(isWriteShown ? exchanges : [lastWrite, ...exchanges])]
  const focused = all.map((it) => ({ ...it, focus: focusIn(it.answer, sentence) }))
  // Of the many pages of a list, those that hold what the sentence is about.
  const revealing = focused.filter(({ focus }) => focus !== undefined)
  const shown = all.length > maxExchanges && revealing.length > 0 ? revealing : focused
  return shown.map((it) => ({ ...it, ...cutAround(it, maxLengthOfAnswer) }))
}

/** How many requests a report shows for a finding. */
export const maxExchanges = 4

/** A part of an answer of at most about `max` characters, with the focus in its first third. */
export function cutAround(
  { answer, focus = 0 }: Pick<Exchange, 'answer' | 'focus'>,
  max: number,
): Required<Pick<Exchange, 'answer' | 'focus'>> {
  if (answer.length <= max) return { answer, focus }
  const from = Math.max(0, Math.min(focus - Math.floor(max / 3), answer.length - max))
  const [before, after] = [from > 0 ? '…' : '', from + max < answer.length ? '…' : '']
  return { answer: `${before}${answer.slice(from, from + max)}${after}`, focus: focus - from + before.length }
}

/** Where an answer shows what a sentence is about: at the path that begins it, or at the rarest value or word in it. */
export function focusIn(answer: string, sentence: string): number | undefined {
  const [path] = /^data(?:\.\w+|\[\d+\])+/.exec(sentence) ?? []
  const at = path === undefined ? -1 : positionOf(answer, path.match(/\w+/g) ?? [])
  if (at >= 0) return at
  const named = new Set(sentence.match(/"(?:[^"\\]|\\.)+"|[\w=+/-]{4,}|\d{3}/g))
  const found = [...named].flatMap((it) => {
    const [before = '', ...rest] = answer.split(it)
    const at = before.length
    // Values come before words, and long words before short ones. Of two values, the first in the answer wins.
    const weight = it.startsWith('"') ? 2 * answer.length - at : it.length
    return rest.length === 0 ? [] : [{ at, count: rest.length, weight }]
  })
  return found.toSorted((a, b) => a.count - b.count || b.weight - a.weight)[0]?.at
}

/** The position of a value in JSON, or of the last part of its path that exists. -1 if the text is not JSON. */
function positionOf(answer: string, path: readonly string[]): number {
  const marker = '\u0000focus'
  try {
    const whole = JSON.parse(answer) as Holder
    let [holder, key] = [whole, path[0] ?? '']
    for (const next of path.slice(1)) {
      const value = holder[key]
      if (typeof value !== 'object' || value === null || !Object.hasOwn(value, next)) break
      ;[holder, key] = [value as Holder, next]
    }
    holder[key] = marker
    const name = Array.isArray(holder) ? '' : `${JSON.stringify(key)}:`
    return JSON.stringify(whole).indexOf(`${name}${JSON.stringify(marker)}`)
  } catch {
    return -1
  }
}

type Holder = Record<string, unknown>
