/** Tests relative times as ages. */
import { expect, test } from 'vitest'
import { areFarApart, hoursSince } from './ages.js'

test.each([
  ['a few seconds ago', 0],
  ['0 seconds ago', 0],
  ['in 9 hours', -9],
  ['9 hours ago', 9],
  ['9h', 9],
  ['9 hours', 9],
  ['an hour from now', -1],
  ['about 3 months ago', 2190],
  ['3mo ago', 2190],
  ['30 minutes ago', 0.5],
  ['a year ago', 8766],
  ['a week ago', 168],
  ['5 min ago', 1 / 12],
  ['2 hrs. ago', 2],
  ['2 yrs ago', 17532],
  ['in a day', -24],
])('%s is %d hours ago', (text, hours) => expect(hoursSince(text)).toBe(hours))

test.each([
  'just now',
  'less than a minute ago',
  'vor 3 Tagen',
  '1 dakika önce',
  '1 detik lalu',
  '3 mesi fa',
  '2026-11-29',
  '',
  'yesterday',
  3,
  null,
])('nothing is known of %s', (text) => expect(hoursSince(text)).toBeUndefined())

test.each([
  ['9 hours ago', 'a few seconds ago', true],
  ['in 9 hours', 'a few seconds ago', true],
  ['in an hour', 'a few seconds ago', true],
  ['in a few seconds', 'a minute ago', false],
  ['an hour ago', '59 minutes ago', false],
  ['an hour ago', '2 hours ago', false],
  ['25 days ago', 'a month ago', false],
  ['10 months ago', 'a year ago', false],
  ['a year ago', 'a day ago', true],
])('%s and %s are far apart: %s', (a, b, isFar) =>
  expect(areFarApart(Number(hoursSince(a)), Number(hoursSince(b)))).toBe(isFar),
)
