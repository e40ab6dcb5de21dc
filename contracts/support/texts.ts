/** Texts with the characters that servers lose, and what a server made of them. */
import type { TextForms } from '../../src/writing/resource.js'

/** One part for each kind of character. Emoji come last, because some databases cut a text at the first one. */
const parts = {
  accents: 'Zoë Núñez',
  'CJK characters': '東京',
  ampersands: 'Silk & Sons',
  apostrophes: "O'Hara",
  'double quotes': '"north"',
  backslashes: 'a\\b',
  'line breaks': 'one\ntwo',
  emoji: '🎁',
} as const

const beyondAscii = ['accents', 'CJK characters', 'emoji']

const { 'line breaks': _, ...onOneLine } = parts

/** A text for a field of one line, and one for a field of several. */
export const sampleTexts = {
  line: `${Object.values(onOneLine).join(' ')} end`,
  block: `${Object.values(parts).join(' ')} end`,
} as const

/** Such texts for fields, by whether they have one line or several. */
export const textsOf = (forms: TextForms): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(forms).map(([field, form]) => [field, sampleTexts[form === 'block' ? 'block' : 'line']]),
  )

const named = new Map([
  ['amp', '&'],
  ['quot', '"'],
  ['apos', "'"],
])

function unescapeHtml(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));/gi, (all, decimal?: string, hex?: string, name = '') =>
    decimal || hex ? String.fromCodePoint(Number(decimal ?? `0x${hex}`)) : (named.get(String(name)) ?? all),
  )
}

const unescapeCodes = (text: string): string =>
  text
    .replace(/\\u([\da-f]{4})/gi, (_all, hex: string) => String.fromCharCode(Number(`0x${hex}`)))
    .replaceAll('\\n', '\n')

/** The text whose UTF-8 was read as Latin-1. */
function fromLatin1(text: string): string {
  const bytes = Uint8Array.from(text, (it) => it.charCodeAt(0))
  return new TextDecoder().decode(bytes)
}

const withoutAccents = (text: string) => text.normalize('NFD').replace(/\p{M}/gu, '')

/** What a server may have done to a part, and how to recognize it. */
const changes: readonly (readonly [what: string, isDone: (part: string, shown: string) => boolean])[] = [
  ['are HTML-escaped', (part, shown) => unescapeHtml(shown).includes(part)],
  ['are escaped with a backslash', (part, shown) => shown.replace(/\\(['"\\])/g, '$1').includes(part)],
  ['come back as escape sequences', (part, shown) => unescapeCodes(shown).includes(part)],
  ['come back as UTF-8 that was read as Latin-1', (part, shown) => fromLatin1(shown).includes(part)],
  ['are removed from their letters', (part, shown) => shown.includes(withoutAccents(part))],
  ['become spaces', (part, shown) => shown.includes(part.replace('\n', ' '))],
]

/** Ignores the Unicode form, the kind of line breaks, and spaces at the ends. */
const canonical = (text: string) => text.normalize('NFC').replace(/\r\n?/g, '\n').trim()

/**
 * What a server changed in a text, in words; undefined if nothing. Characters after the end of a shortened text are not
 * judged.
 * @example damageTo('Zoë 🎁', 'Zoë ') // 'emoji are lost; the rest is kept'
 */
export function damageTo(sentText: string, shownText: string): string | undefined {
  const [sent, shown] = [canonical(sentText), canonical(shownText)]
  if (sent === shown || shown === '') return undefined
  if (sent.toLowerCase() === shown.toLowerCase()) return 'letters change their case'
  const isCut = sent.startsWith(shown)
  if (isCut && sent.slice(shown.length).trimStart().startsWith(parts.emoji)) return 'the text is cut before an emoji'
  const kinds = Object.entries(parts).filter(([, part]) => sent.includes(part))
  const changed = kinds.flatMap(([kind, part]) => {
    if (isCut || shown.includes(part)) return []
    const [what] = changes.find(([, isDone]) => isDone(part, shown)) ?? ['are lost']
    return [{ kind, what }]
  })
  if (changed.length === 0) return undefined
  const groups = [...new Set(changed.map(({ what }) => what))].map((what) => {
    const group = changed.filter((it) => it.what === what)
    return `${nameOf(group.map(({ kind }) => kind))} ${what}`
  })
  return [...groups, ...(changed.length < kinds.length ? ['the rest is kept'] : [])].join('; ')
}

function nameOf(kinds: readonly string[]): string {
  const others = kinds.filter((it) => !beyondAscii.includes(it))
  const all = kinds.length - others.length === beyondAscii.length ? ['all characters beyond ASCII', ...others] : kinds
  return all.length < 2 ? all.join('') : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`
}
