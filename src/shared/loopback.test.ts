import { expect, test } from 'vitest'
import { isLoopback } from './loopback.js'

test.each([
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.b.localhost',
  '127.0.0.1',
  '127.255.255.254',
  '::1',
  '[::1]',
  '[0:0:0:0:0:0:0:1]',
  '[::0.0.0.1]',
  '[::ffff:127.0.0.1]',
  '::FFFF:127.0.0.1',
  '[::ffff:7f00:1]',
  '[::ffff:7fff:fffe]',
])('%s is this machine', (name) => {
  expect(isLoopback(name)).toBe(true)
})

test.each([
  '',
  '.localhost',
  'localhost..',
  'localhost:4000',
  'localhost.example',
  'notlocalhost',
  '127.0.0.1.example',
  '127.0.0.1.',
  '127.0.0.256',
  '127.1',
  '0.0.0.0',
  '10.0.0.1',
  '[::]',
  '[::2]',
  '[::ffff:10.0.0.1]',
  '[::7f00:1]',
])('%j is not', (name) => {
  expect(isLoopback(name)).toBe(false)
})
