/** What a server may make of a value that it was sent, and what is that of one which ignores it. */
import { expect, test } from 'vitest'
import { comesOf } from './shown.js'

const name = 'cm-abcdef-1 Old Mill Linens'

test.each([
  ['is cut', name, 'cm-abcdef-1 Old Mill', 'documented', true],
  ['is cut within the mark', name, 'cm-abcde', 'documented', false],
  ['gets a suffix', name, `${name} 2`, 'documented', false],
  ['is tidied up and gets a suffix', 'cm-abcdef-1', 'CM-ABCDEF-1-x7f2', 'assumed', true],
  ['is made of the name', 'cm-abcdef-1', 'old-mill-linens-cm-abcdef-1', 'assumed', true],
  ['is made of the name alone', 'shop-1', 'cm-abcdef-1-old-mill-linens', 'assumed', true],
  ['is the old one', 'new-cm-abcdef-1', 'cm-abcdef-1', 'assumed', false],
  ['is emptied', 'cm-abcdef-1', '', 'assumed', false],
  ['is left out', 'cm-abcdef-1', null, 'assumed', false],
  ['is in an address, and tidied up', { city: 'Old Mill' }, { city: 'OLD-MILL, North' }, 'assumed', true],
  ['is in an address, and another one', { city: 'Old Mill' }, { city: 'Harbour' }, 'assumed', false],
])('A value that %s: %j, shown as %j in a field that is %s, comes of it: %s', (_, sent, shown, basis, comes) => {
  expect(comesOf(sent, shown, basis === 'documented', name)).toBe(comes)
})
