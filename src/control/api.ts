/** The control API: JSON over HTTP under `/_mock`, acting on the session that a request selects. */
import { GraphQLError } from 'graphql'
import * as z from 'zod'
import { errorResponse, json, type HttpResponse } from '../server/http/response.js'
import type { Page } from '../server/http/front-door.js'
import { toDuration, toInstant } from '../shared/time.js'
import { issueText, mistakeLines, mistakesOf, type Path } from '../shared/mistakes.js'
import { quote } from '../shared/text.js'
import { faultsDefinition } from './faults/definition.js'
import { notWritable } from './log.js'
import { MockError } from './mock-error.js'
import { describeApi } from './openapi.js'
import { requestRoutes } from './requests/routes.js'
import { route, TextResponse, wholeNumber, type Call, type Records, type Route } from './route.js'
import type { Session } from './session.js'
import type { Sessions, Snapshot } from './sessions.js'

export interface ControlOptions extends Pick<Call<never>, 'createRules'> {
  readonly sessions: Sessions
  /** The session of requests that select none. */
  readonly own: string | undefined
  /** `host` is where the client reached the mock: pictures have it in their addresses. */
  readonly recordsOf: (session: string | undefined, host: string | undefined) => Records
  /** Other pages, which the description names too. */
  readonly others: readonly Page[]
}

const instant = z
  .union([z.string(), z.int()], 'Write ISO 8601 text, or milliseconds')
  .describe('ISO 8601, in UTC unless it has an offset: 2026-01-31T12:00:00Z; or milliseconds since 1970')
const duration = z
  .union([z.string(), z.int()], 'Write text such as "3h", or milliseconds')
  .describe('90s, 3h, "2 days", or milliseconds; negative to go back')
const sessionName = z.string().describe('1 to 64 letters, digits, dots, hyphens or underscores')
const worldAdvice = 'Give the name of a ready world, or a world file as JSON'
/** No path: a page must not make the server read files. */
const readyWorld = z
  .string()
  .regex(/^[\w-]+$/, worldAdvice)
  .describe('The name of a ready world, or a world file as JSON')
/** No path either. */
const scenario = z
  .string()
  .regex(/^[\w-]+$/, 'Give the name of a scenario')
  .describe('The name of a scenario: a ready one, or one of the folder --scenarios')
const position = z.int().min(0)
const record = z.record(z.string(), z.unknown()).describe('Fields of the type by name')

const clockOf = ({ world }: Session) => ({ now: iso(world.clock.now()), frozen: world.clock.state().frozen })

const iso = (instant: number) => new Date(instant).toISOString()

const shown = (session: Session) => ({
  name: session.name ?? null,
  ...clockOf(session),
  log: { first: session.history.first, last: session.last },
})

const shownSnapshot = ({ name, at }: Snapshot) => ({ name, now: iso(at) })

/** How many records a list shows unless the request says otherwise. */
const usualRecords = 100

export const routes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_mock/sessions',
    about: 'Lists the sessions, the one used last first.',
    withoutSession: true,
    handle: ({ sessions }) => ({ sessions: sessions.list().map(shown) }),
  }),
  route({
    method: 'POST',
    path: '/_mock/sessions',
    about: 'Creates a session: a fork of the base, of another session or of a snapshot, or a scenario.',
    withoutSession: true,
    body: z.strictObject({
      name: sessionName,
      from: z
        .union(
          [z.strictObject({ session: z.string() }), z.strictObject({ snapshot: z.string() })],
          'Send { "session": NAME } or { "snapshot": NAME }',
        )
        .optional(),
      now: instant.optional(),
      scenario: scenario.optional(),
    }),
    handle({ sessions, body: { name, from, now, scenario } }) {
      if (scenario !== undefined) {
        if (from) throw new MockError(400, 'A session begins with a scenario or as a fork. Give scenario or from.')
        return shown(sessions.begin(name, { scenario, now }))
      }
      return shown(sessions.create(name, from, now === undefined ? undefined : toInstant(now)))
    },
  }),
  route({
    method: 'GET',
    path: '/_mock/sessions/NAME',
    about: 'Shows a session.',
    withoutSession: true,
    handle: ({ sessions, names: [name] }) => shown(sessions.get(name)),
  }),
  route({
    method: 'DELETE',
    path: '/_mock/sessions/NAME',
    about: 'Ends a session.',
    withoutSession: true,
    handle: ({ sessions, names: [name] }) => sessions.end(name as string),
  }),
  route({
    method: 'POST',
    path: '/_mock/reset',
    about: 'Resets the session, to another world, seed, time or scenario if given. Ends its log.',
    body: z.strictObject({
      world: z.union([readyWorld, record], worldAdvice).optional(),
      seed: z.int().optional(),
      now: instant.optional(),
      scenario: scenario.optional(),
    }),
    handle({ sessions, session, body }) {
      sessions.reset(session, body)
      return { reset: true }
    },
  }),
  route({
    method: 'GET',
    path: '/_mock/clock',
    about: 'Shows the clock.',
    handle: ({ session }) => clockOf(session),
  }),
  route({
    method: 'PATCH',
    path: '/_mock/clock',
    about: 'Stops the clock or lets it run, then sets it, then advances it.',
    body: z.strictObject({
      now: instant.optional(),
      advance: duration.optional(),
      frozen: z.boolean().optional(),
    }),
    handle({ session, body: { now, advance = 0, frozen } }) {
      session.moveClock((clock) => {
        // Before it is set, because a running clock goes on.
        if (frozen !== undefined) clock.freeze(frozen)
        clock.moveTo(toInstant(toInstant(now ?? clock.now()) + toDuration(advance)))
      })
      return clockOf(session)
    },
  }),
  route({
    method: 'GET',
    path: '/_mock/records/TYPE',
    about: `Lists the records of a type, oldest first: ${usualRecords}, or as many as ?first= says.`,
    query: z.strictObject({ first: wholeNumber.default(usualRecords) }),
    handle: ({ records, names: [type = ''], query }) => ({ records: records.list(type, query) }),
  }),
  route({
    method: 'POST',
    path: '/_mock/records/TYPE',
    about: 'Creates a record. Fields that are not given get generated values.',
    body: record,
    handle: ({ records, names: [type = ''], body }) => records.create(type, body),
  }),
  route({
    method: 'GET',
    path: '/_mock/records/TYPE/ID',
    about: 'Shows a record.',
    handle: ({ records, names: [type = '', id = ''] }) => records.get(type, id),
  }),
  route({
    method: 'PATCH',
    path: '/_mock/records/TYPE/ID',
    about: 'Changes fields of a record, also those that no mutation sets.',
    body: record,
    handle: ({ records, names: [type = '', id = ''], body }) => records.set(type, id, body),
  }),
  route({
    method: 'DELETE',
    path: '/_mock/records/TYPE/ID',
    about: 'Removes a record.',
    handle: ({ records, names: [type = '', id = ''] }) => records.remove(type, id),
  }),
  route({
    method: 'GET',
    path: '/_mock/snapshots',
    about: 'Lists the snapshots of all sessions.',
    withoutSession: true,
    handle: ({ sessions }) => ({ snapshots: sessions.snapshots.map(shownSnapshot) }),
  }),
  route({
    method: 'POST',
    path: '/_mock/snapshots',
    about: 'Saves the session under a name. A snapshot of the same name is replaced.',
    body: z.strictObject({ name: sessionName }),
    handle: ({ sessions, session, body: { name } }) => shownSnapshot(sessions.take(name, session)),
  }),
  route({
    method: 'POST',
    path: '/_mock/snapshots/NAME/restore',
    about: 'Restores a snapshot in the session.',
    handle({ session, names: [name = ''] }) {
      session.restore(name)
      return shown(session)
    },
  }),
  route({
    method: 'DELETE',
    path: '/_mock/snapshots/NAME',
    about: 'Deletes a snapshot.',
    withoutSession: true,
    handle: ({ sessions, names: [name = ''] }) => sessions.drop(name),
  }),
  route({
    method: 'POST',
    path: '/_mock/rewind',
    about: 'Brings the session back to an earlier position of its log, or undoes its last changes.',
    body: z.union(
      [z.strictObject({ to: position }), z.strictObject({ last: z.int().min(1) })],
      'Send { "to": POSITION } or { "last": NUMBER }',
    ),
    handle({ session, body }) {
      if ('to' in body) session.rewind(body.to)
      else session.undo(body.last)
      return shown(session)
    },
  }),
  route({
    method: 'GET',
    path: '/_mock/faults',
    about: 'Lists the faults.',
    handle: ({ session }) => ({ faults: session.faults.list() }),
  }),
  route({
    method: 'PUT',
    path: '/_mock/faults',
    about: 'Replaces all faults. Their counters begin at 0.',
    body: faultsDefinition,
    handle({ session, body, createRules }) {
      session.faults.set(createRules(body, (path) => placeOf(path)))
      return { faults: session.faults.list() }
    },
  }),
  route({
    method: 'DELETE',
    path: '/_mock/faults',
    about: 'Removes all faults.',
    handle: ({ session }) => session.faults.clear(),
  }),
  ...requestRoutes,
]

/** The pages of the control API. */
export function createControlPages(options: ControlOptions): readonly Page[] {
  const { sessions, own, recordsOf, createRules, others } = options
  const pages = routes.map(({ method, path, body: bodySchema, query: querySchema, withoutSession, handle }): Page => ({
    method,
    path,
    async handle({ names, session: name = own, host, query: sent, signal, json }) {
      const given = bodySchema ? await json() : { value: undefined }
      if ('status' in given) return given
      const body = bodySchema?.safeParse(given.value ?? {}, { error: issueText })
      if (body?.error) return badRequest(mistakeLines(mistakesOf(body.error), (at) => placeOf(at)))
      const query = querySchema?.safeParse(Object.fromEntries(sent), { error: issueText })
      if (query?.error) return badRequest(mistakeLines(mistakesOf(query.error), (at) => placeOf(at, 'The query')))
      return orError(() => {
        const session = withoutSession ? sessions.base : sessions.get(name)
        const call = { sessions, session, records: recordsOf(name, host), createRules, names, signal }
        const value = handle({ ...call, body: body?.data, query: query?.data } as never)
        return value instanceof Promise ? value.then(responseOf).catch(orResponse) : responseOf(value)
      })
    },
  }))
  const described = [...others, ...routes].filter(({ about }) => about !== undefined)
  return [...pages, { method: 'GET', path: '/_mock/openapi.json', handle: () => json(200, describeApi(described)) }]
}

const textType = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }

const responseOf = (value: unknown): HttpResponse =>
  value instanceof TextResponse
    ? { status: 200, headers: textType, body: value.text }
    : json(200, value ?? { done: true })

const badRequest = (message: string) => errorResponse(400, 'BAD_REQUEST', message)

const codes = { 400: 'BAD_REQUEST', 404: 'NOT_FOUND', 409: 'CONFLICT' } as const

/** The errors of a mock are in one line and of the class Error. All others are unexpected. */
export function orError<Result>(work: () => Result): Result | HttpResponse {
  try {
    return work()
  } catch (error) {
    return orResponse(error)
  }
}

function orResponse(error: unknown): HttpResponse {
  const isLogError = error instanceof GraphQLError && error.extensions['code'] === notWritable
  if (isLogError) return errorResponse(507, notWritable, error.message)
  if (error instanceof MockError) return errorResponse(error.status, codes[error.status], error.message)
  if (error instanceof Error && error.name === 'Error') return badRequest(error.message)
  throw error
}

const placeOf = (path: Path, whole = 'The body') => (path.length === 0 ? whole : quote(z.core.toDotPath([...path])))
