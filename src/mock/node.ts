/** `createMock` on Node, where a log can be kept in a folder. */
import { openStateFolder } from '../control/state-folder.js'
import { createMock as createMockOn, type Mock } from './create-mock.js'
import type { MockOptions } from './options.js'

/**
 * Creates a mock of the whole service. It opens no socket until `listen` is called. Throws an Error in one line for a wrong
 * option.
 *
 * @example
 * const mock = createMock({ world: 'small-shop', now: '2026-01-31', freeze: true })
 * const { data } = await mock.execute({ query: '{ segments(query: "") { edges { node { name } } } }' })
 */
export const createMock = (options: MockOptions = {}): Mock => createMockOn(options, { openState: openStateFolder })
