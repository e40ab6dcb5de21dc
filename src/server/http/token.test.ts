/** The token that a request must carry. */
import { expect, test } from 'vitest'
import { isAuthorized } from './token.js'

const carrying = (authorization?: string) => ({
  method: 'POST',
  target: '/',
  headers: { authorization },
  body: () => Promise.resolve(Buffer.alloc(0)),
  signal: () => AbortSignal.abort(),
})

test.each(['Bearer t0ken', 'bearer t0ken', 'BEARER t0ken', 'bEaReR t0ken', 'Bearer    t0ken', 'Bearer t0ken  '])(
  'A request with %j is authorized.',
  (authorization) => {
    expect(isAuthorized(carrying(authorization), 't0ken')).toBe(true)
  },
)

test.each([
  undefined,
  '',
  'Bearer',
  'Bearer ',
  'Bearer wrong',
  'Bearer T0KEN',
  'Bearer t0ke',
  'Bearer t0ken2',
  'Bearer t0ken, Bearer t0ken',
  'Bearer: t0ken',
  'Basic t0ken',
  'Token t0ken',
  't0ken',
  'XBearer t0ken',
])('A request with %j is not authorized.', (authorization) => {
  expect(isAuthorized(carrying(authorization), 't0ken')).toBe(false)
})

test('Without a token, every request is authorized.', () => {
  for (const authorization of [undefined, '', 'Bearer anything']) {
    expect(isAuthorized(carrying(authorization), undefined)).toBe(true)
  }
})
