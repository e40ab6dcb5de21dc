/** The public door of the package. */
export { createMock } from './commands/mock.js'
export type { ExecuteRequest, Listening, Mock, MockOptions } from './commands/mock.js'
export type { Result } from './server/engine.js'
export type { Counts } from '../mocks/counts.js'
export type { Profile } from './schema/profile.js'
export type { World } from './world/world.js'
export type { Clock } from './world/clock.js'
