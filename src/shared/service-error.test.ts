import { expect, test } from 'vitest'
import { serviceError } from './service-error.js'

test('has a code, and a key if one is given', () => {
  expect(serviceError('NOT_FOUND', 'Not found.').toJSON()).toEqual({
    message: 'Not found.',
    extensions: { code: 'NOT_FOUND' },
  })
  expect(serviceError('NOT_FOUND', 'Not found.', 'errors_not_found').extensions).toEqual({
    code: 'NOT_FOUND',
    key: 'errors_not_found',
  })
})
