/** Reasons that no server on this machine can bring about, as undici and Node report them. */
import { expect, test } from 'vitest'
import { failureOf } from './failures.js'

const coded = (code: string, more: object = {}) => Object.assign(new Error('x'), { code, ...more })
const at = { host: 'staging.example.com', proxy: undefined, bytes: 0 }

test.each([
  [
    'a name that is not on the certificate',
    coded('ERR_TLS_CERT_ALTNAME_INVALID', { message: 'Host: canary. is not cert’s CN: \u001b' }),
    'The target staging.example.com cannot be trusted: its certificate is for another name (ERR_TLS_CERT_ALTNAME_INVALID). Look at --base-url and at the certificate; NODE_EXTRA_CA_CERTS does not help here.',
    true,
  ],
  [
    'a certificate that is not valid yet',
    coded('CERT_NOT_YET_VALID'),
    'The target staging.example.com cannot be trusted: its certificate is not valid yet; look at the clock of this machine (CERT_NOT_YET_VALID). Look at --base-url and at the certificate; NODE_EXTRA_CA_CERTS does not help here.',
    true,
  ],
  [
    'an authority that is not known',
    coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'),
    'The target staging.example.com cannot be trusted: its certificate comes from an authority that is not known here (UNABLE_TO_GET_ISSUER_CERT_LOCALLY). If it is to be trusted, name the file of its authority in NODE_EXTRA_CA_CERTS.',
    true,
  ],
  [
    'a name that is not known',
    coded('ENOTFOUND', { syscall: 'getaddrinfo' }),
    'The target staging.example.com is not known by name. Look at --base-url.',
    true,
  ],
  [
    'a name service that is down',
    coded('EAI_AGAIN', { syscall: 'getaddrinfo' }),
    'The target staging.example.com cannot be looked up: the name service does not answer. Look at the network.',
    true,
  ],
  [
    'no way',
    coded('ENETUNREACH', { syscall: 'connect' }),
    'The target staging.example.com cannot be reached from here (ENETUNREACH). Look at the network.',
    true,
  ],
  [
    'a connection that takes too long',
    coded('UND_ERR_CONNECT_TIMEOUT'),
    'The target staging.example.com takes no connection (UND_ERR_CONNECT_TIMEOUT). Look at the network.',
    false,
  ],
  [
    'several addresses, in a wrapper',
    new TypeError('fetch failed', {
      cause: new AggregateError([
        coded('ECONNREFUSED', { syscall: 'connect' }),
        coded('ENETUNREACH', { syscall: 'connect' }),
      ]),
    }),
    'The target staging.example.com refuses connections: nothing listens there. Start it, or look at --base-url.',
    true,
  ],
  [
    'a length that is wrong',
    coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'),
    'The target sent another number of bytes than it announced in Content-Length. Look at its log.',
    false,
  ],
  [
    'something else',
    new Error('Odd\n\u001b[31m'),
    'The request to staging.example.com failed before anything came: Odd\\u{a}\\u{1b}[31m.',
    false,
  ],
  ['no error at all', undefined, 'The request to staging.example.com failed before anything came: undefined.', false],
])('%s', (_, thrown, sentence, lasting) => {
  const { error } = failureOf(thrown, at)
  expect(error.message).toBe(sentence)
  expect(error.lasting).toBe(lasting)
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
])('Whether a request surely never left, by its error: %o, %s', (thrown, unsent) => {
  expect(failureOf(thrown, at).error.unsent).toBe(unsent)
})

test('A cause that is its own cause ends.', () => {
  const error = new Error('x')
  error.cause = error
  expect(failureOf(error, at).error.message).toContain('failed before anything came: x.')
})
