/** Errors that no server on this machine can cause, as undici and Node report them. */
import { expect, test } from 'vitest'
import { errorFrom } from './failures.js'

const coded = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more })
const at = { host: 'staging.example.com', proxy: undefined, bytes: 0 }

test.each([
  [
    'a certificate for another name',
    coded('ERR_TLS_CERT_ALTNAME_INVALID', { message: 'Host: canary. is not cert’s CN: \u001b' }),
    'The certificate of staging.example.com is not valid (ERR_TLS_CERT_ALTNAME_INVALID). Check the certificate, --base-url and the clock of this machine.',
    true,
  ],
  [
    'a certificate that is not valid yet',
    coded('CERT_NOT_YET_VALID'),
    'The certificate of staging.example.com is not valid (CERT_NOT_YET_VALID). Check the certificate, --base-url and the clock of this machine.',
    true,
  ],
  [
    'an unknown authority',
    coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
    'The certificate of staging.example.com is not trusted (UNABLE_TO_GET_ISSUER_CERT_LOCALLY). To trust it, set NODE_EXTRA_CA_CERTS to the file of its CA certificate.',
    true,
  ],
  [
    'an unknown name',
    coded('ENOTFOUND', { syscall: 'getaddrinfo' }),
    'The target staging.example.com has an unknown host name. Check --base-url.',
    true,
  ],
  [
    'DNS that is down',
    coded('EAI_AGAIN', { syscall: 'getaddrinfo' }),
    'The target staging.example.com cannot be resolved, because DNS does not respond. Check the network.',
    true,
  ],
  [
    'no route',
    coded('ENETUNREACH', { syscall: 'connect' }),
    'The target staging.example.com is unreachable (ENETUNREACH). Check the network.',
    true,
  ],
  [
    'a connection that takes too long',
    coded('UND_ERR_CONNECT_TIMEOUT'),
    'The target staging.example.com is unreachable (UND_ERR_CONNECT_TIMEOUT). Check the network.',
    true,
  ],
  [
    'several addresses, wrapped',
    new TypeError('fetch failed', {
      cause: new AggregateError([
        coded('ECONNREFUSED', { syscall: 'connect' }),
        coded('ENETUNREACH', { syscall: 'connect' }),
      ]),
    }),
    'The target staging.example.com refused the connection. Start it, or check --base-url.',
    true,
  ],
  [
    'something else',
    new Error('Odd\n\u001b[31m'),
    'The request to staging.example.com failed before it responded: Odd\\u{a}\\u{1b}[31m.',
    false,
  ],
  ['no error at all', undefined, 'The request to staging.example.com failed before it responded: undefined.', false],
])('%s', (_, thrown, sentence, permanent) => {
  const error = errorFrom(thrown, at)
  expect(error.message).toBe(sentence)
  expect(error.permanent).toBe(permanent)
})

test.each([
  [coded('ECONNREFUSED', { syscall: 'connect' }), true],
  [coded('ENOTFOUND', { syscall: 'getaddrinfo' }), true],
  [coded('EHOSTUNREACH', { syscall: 'connect' }), true],
  [coded('ETIMEDOUT', { syscall: 'connect' }), true],
  [coded('UND_ERR_CONNECT_TIMEOUT'), true],
  [coded('CERT_HAS_EXPIRED'), true],
  [new Error('Proxy response (403) !== 200 when HTTP Tunneling'), true],
  [coded('EHOSTUNREACH', { syscall: 'read' }), false],
  [coded('ETIMEDOUT', { syscall: 'read' }), false],
  [coded('ECONNRESET', { syscall: 'read' }), false],
  [coded('ERR_SSL_BAD_RECORD_TYPE'), false],
  [coded('UND_ERR_SOCKET'), false],
  [undefined, false],
])('%o: the request was certainly not sent: %s', (thrown, unsent) => {
  expect(errorFrom(thrown, at).unsent).toBe(unsent)
})
