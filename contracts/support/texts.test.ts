/** What a server did to a text, in words. */
import { expect, test } from 'vitest'
import { damageTo, sampleTexts } from './texts.js'

const { line, block } = sampleTexts
const emoji = /\p{Extended_Pictographic}/gu

test.each<[string, string, string | undefined]>([
  ['as it is', line, undefined],
  ['in another Unicode form', line.normalize('NFD'), undefined],
  ['between spaces', ` ${line}\n`, undefined],
  ['shortened', line.slice(0, 12), undefined],
  ['not at all', '', undefined],
  ['without emoji', line.replace(emoji, ''), 'emoji are lost; the rest is kept'],
  ['with `?` for an emoji', line.replace(emoji, '????'), 'emoji are lost; the rest is kept'],
  ['cut before an emoji', line.replace(/\s*\p{Extended_Pictographic}.*$/u, ''), 'the text is cut before an emoji'],
  ['in ASCII', line.replace(/[^ -~]/g, '?'), 'all characters beyond ASCII are lost; the rest is kept'],
  ['in Latin-1', line.replace(/[^ -ÿ]/g, '?'), 'CJK characters and emoji are lost; the rest is kept'],
  [
    'as Latin-1',
    String.fromCharCode(...new TextEncoder().encode(line)),
    'all characters beyond ASCII come back as UTF-8 that was read as Latin-1; the rest is kept',
  ],
  [
    'without accents',
    line.normalize('NFD').replace(/\p{M}/gu, ''),
    'accents are removed from their letters; the rest is kept',
  ],
  ['with `&amp;`', line.replaceAll('&', '&amp;'), 'ampersands are HTML-escaped; the rest is kept'],
  [
    'HTML-escaped',
    line.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll("'", '&#x27;'),
    'ampersands, apostrophes and double quotes are HTML-escaped; the rest is kept',
  ],
  ["with `\\'`", line.replaceAll("'", "\\'"), 'apostrophes are escaped with a backslash; the rest is kept'],
  ['without backslashes', line.replaceAll('\\', ''), 'backslashes are lost; the rest is kept'],
  ['in lower case', line.toLowerCase(), 'letters change their case'],
])('A line that comes back %s', (_, shown, damage) => expect(damageTo(line, shown)).toBe(damage))

test.each<[string, string, string | undefined]>([
  ['with CRLF', block.replaceAll('\n', '\r\n'), undefined],
  ['on one line', block.replaceAll('\n', ' '), 'line breaks become spaces; the rest is kept'],
  ['with `\\n`', block.replaceAll('\n', '\\n'), 'line breaks come back as escape sequences; the rest is kept'],
])('A text of several lines that comes back %s', (_, shown, damage) => expect(damageTo(block, shown)).toBe(damage))
