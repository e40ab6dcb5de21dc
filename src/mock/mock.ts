/** A mock without the machine it runs on: its world, its sessions and its server as a function. */
import { createControlPages, orError } from '../control/api.js'
import { Log } from '../control/log.js'
import type { Begun } from '../control/session.js'
import { Sessions } from '../control/sessions.js'
import type { PreparedRequest } from '../server/graphql/engine.js'
import type { RowBudget } from '../server/graphql/row-budget.js'
import { createFrontDoor, type FrontDoor, type FrontDoorOptions } from '../server/http/front-door.js'
import type { ReadParams } from '../server/http/params.js'
import { checkNames } from '../shared/mistakes.js'
import { continued, settingsIn } from './beginning.js'
import type { MockOf } from './interfaces.js'
import { createStopwatch, optionNames, readTtl, type MockOptions, type Stopwatch } from './options.js'
import { createPages } from './pages.js'
import { contextOf, createParts, type Parts, type Platform } from './parts.js'
import { createSessionMethods } from './session-methods.js'

/** Creates a mock. Throws an Error in one line for a wrong option. */
export function createMockOn<Mock>(platform: Platform<Mock>, options: MockOptions): Mock {
  checkNames('option', options, optionNames)
  const stopwatch = createStopwatch(options, platform.elapsed)
  const log = openLog(platform, options, stopwatch)
  try {
    const header = log?.header
    const parts = createParts(platform, header ? continued(options, header, log.name, platform) : options, stopwatch)
    const first = header
      ? { beginning: header.begin, world: parts.recreate(header.begin), faults: parts.firstFaults() }
      : parts.begin({ scenario: options.scenario })
    if (header && header.schema !== parts.schemaHash) {
      parts.notice(
        `The log ${log.name} was written with another schema. What this one does not have is kept and ignored.`,
      )
    }
    return mockOf(parts, first, log)
  } catch (error) {
    log?.close()
    throw error
  }
}

function openLog<Mock>(platform: Platform<Mock>, options: MockOptions, { elapsed }: Stopwatch): Log | undefined {
  const { openState, minGrowth, later, warn } = platform
  const { state: folder, stateSync: sync = false, stateReset: reset = false, onUnexpected: notice = warn } = options
  if (folder === undefined) return undefined
  if (!openState) throw new Error('There are no folders in a browser. Remove the option state.')
  const store = openState({ folder, sync, reset, notice })
  try {
    return new Log(store, { notice, later, elapsed, minGrowth })
  } catch (error) {
    store.close()
    throw error
  }
}

function mockOf<Mock>(parts: Parts<Mock>, first: Begun, log?: Log): Mock {
  const { platform, options, engine, graphiql, limits, schema, profile, token, begin, recreate, faultSource } = parts
  const sessions = new Sessions({
    first,
    begin,
    recreate,
    append: log && ((line) => log.append(line)),
    watch: options.watch,
    maxSessions: limits.sessions,
    ttl: readTtl(options.sessionTtl),
    elapsed: platform.elapsed,
    journal: parts.journal,
    faults: parts.faults,
  })
  if (log) {
    const header = { version: platform.ownPackage().version, schema: parts.schemaHash }
    log.start(sessions, { ...header, begin: first.beginning, options: settingsIn(options) })
    parts.stopwatch.raise(sessions.latest)
  }
  const selectWorld = (name: string | undefined, header: string | undefined) => {
    // Before the session is created.
    const named = parts.faultKit.readNames(header)
    const session = sessions.use(name)
    const { world, journal } = session
    const intercept = parts.faultKit.intercept(session, named, sessionOf)
    return {
      intercept,
      context: (host: string | undefined, rows: RowBudget) => contextOf(parts, world, name, host, rows),
      receive: (prepared: PreparedRequest, params: ReadParams) => journal.receive(prepared, params),
    }
  }
  const others = createPages(platform.ownPackage().version, sessions, parts.faultKit.applyToPicture)
  const door: FrontDoorOptions = {
    engine,
    select: (name, header) => orError(() => selectWorld(name, header)),
    noteRejection: (name, response) => sessions.find(name)?.journal.reject(response),
    pages: [...others, ...createControlPages({ sessions, recordsOf: sessionOf, others })],
    graphiql,
    errorStatus: profile.error_status,
    allowGet: profile.http_get === 'queries',
    maxBodyBytes: limits.bodyBytes,
    token,
  }
  // Made on first use, because a fork takes microseconds.
  let frontDoor: FrontDoor | undefined
  const mock: MockOf<Mock> = {
    ...sessionOf(undefined),
    schema,
    profile,
    session(name) {
      sessions.use(name)
      return sessionOf(name)
    },
    faultFile: {
      path: faultSource.path,
      reload() {
        const rules = faultSource.reload()
        if (rules) sessions.base.faults.setOptions(rules)
        return rules?.length
      },
    },
  }
  const close = () => {
    sessions.close()
    log?.close()
  }
  return platform.complete(mock, parts, door, close)

  function sessionOf(name: string | undefined, host?: string) {
    return createSessionMethods<Mock>({
      parts,
      sessions,
      name,
      host,
      door: () => (frontDoor ??= createFrontDoor(door)),
      fork: () => mockOf(parts, sessions.presentOf(sessions.use(name))),
    })
  }
}
