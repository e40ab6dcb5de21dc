/** The methods of a session of a mock. */
import type { Sessions } from '../control/sessions.js'
import type { GraphQLParams } from '../server/graphql/engine.js'
import { respond, requestOf } from '../server/http/fetch.js'
import type { FrontDoor } from '../server/http/front-door.js'
import { createPublicClock } from './clock.js'
import { textOf } from './execute.js'
import { createFaultMethods } from './faults.js'
import type { SessionOf } from './interfaces.js'
import { contextOf, type Parts } from './parts.js'
import { createRecordMethods } from './records.js'
import { createRequestMethods, inProcess } from './requests.js'

export interface SessionMethodsOptions<Mock> {
  readonly parts: Parts<Mock>
  readonly sessions: Sessions
  /** Undefined for the base session. */
  readonly name: string | undefined
  readonly door: () => FrontDoor
  readonly fork: () => Mock
  /** Where a client reached the mock. */
  readonly host?: string | undefined
}

/** The session is looked up at each call, because it may have ended. */
export function createSessionMethods<Mock>(options: SessionMethodsOptions<Mock>): SessionOf<Mock> {
  const { parts, sessions, name, door, fork, host } = options
  const session = () => sessions.use(name)
  const world = () => session().world
  return {
    clock: createPublicClock(
      () => world().clock,
      (move) => session().moveClock(move),
    ),
    faults: createFaultMethods(session),
    get world() {
      return world()
    },
    ...createRecordMethods(parts.typeOf, world, () => ({ ...contextOf(parts, world(), name, host), atOnce: true })),
    fetch: async (input, init) => respond(door(), requestOf(input, init), name),
    execute: async ({ query, variables, operationName }: Partial<GraphQLParams> = {}) => {
      const request = { query: textOf(query), variables, operationName }
      const prepared = parts.engine.prepare(request)
      const received = session().journal.receive(prepared, inProcess(request))
      const result = await parts.engine.run(prepared, (rows) => contextOf(parts, world(), name, undefined, rows))
      received?.finish({ status: 0, result })
      return result as never
    },
    fork,
    reset: (options) => sessions.reset(session(), options),
    snapshot: (given) => sessions.take(given, session()).name,
    restore: (snapshot) => session().restore(snapshot),
    requests: createRequestMethods(() => session().journal),
    coverage: () => session().journal.coverage(),
    rewind: (position) => session().rewind(position),
  }
}
