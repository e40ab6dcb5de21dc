/** All that the control API can do. */
import * as z from 'zod'
import { alternatives } from '../shared/mistakes.js'
import { readDuration, toDuration, toInstant } from '../shared/time.js'
import { quote } from '../shared/text.js'
import { faultsDefinition } from './faults/definition.js'
import { MockError } from './mock-error.js'
import { coverageText } from './requests/coverage.js'
import { kinds, outcomes } from './requests/request.js'
import { placeOf, route, TextResponse, wholeNumber, type Route } from './route.js'
import type { Session } from './session.js'
import type { Snapshot } from './sessions.js'

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
const record = z.record(z.string(), z.unknown()).describe('Fields of the type by name')

const iso = (instant: number) => new Date(instant).toISOString()

const clockOf = ({ world }: Session) => ({ now: iso(world.clock.now()), frozen: world.clock.state().frozen })

const shown = (session: Session) => ({
  name: session.name ?? null,
  ...clockOf(session),
  log: { first: session.history.first, last: session.last },
})

const shownSnapshot = ({ name, at }: Snapshot) => ({ name, now: iso(at) })

const aWholeNumber = 'must be a whole number'

/** How many records a list shows unless the request says otherwise. */
const defaultRecordCount = 100

/** The longest wait, because proxies give up on a connection on which nothing comes. */
const maxWait = 60_000

function readWait(text: string): number {
  const ms = readDuration(text)
  if (ms !== undefined && ms >= 0 && ms <= maxWait) return ms
  throw new MockError(400, `?wait= takes a duration of at most 60s, such as 2s, not ${quote(text)}.`)
}

export const routes: readonly Route[] = [
  route('GET /_mock/sessions', {
    about: 'Lists the sessions, the one used last first.',
    withoutSession: true,
    handle: ({ sessions }) => ({ sessions: sessions.list().map(shown) }),
  }),
  route('POST /_mock/sessions', {
    about: 'Creates a session: a fork of the base, of another session or of a snapshot, or a scenario.',
    withoutSession: true,
    body: z.strictObject({
      name: sessionName,
      from: z
        .union(
          alternatives(z.strictObject({ session: z.string() }), z.strictObject({ snapshot: z.string() })),
          'Send { "session": NAME } or { "snapshot": NAME }',
        )
        .optional(),
      now: instant.optional(),
      scenario: scenario.optional(),
    }),
    handle({ sessions, body: { name, from, now, scenario } }) {
      if (scenario === undefined) return shown(sessions.create(name, from, now === undefined ? now : toInstant(now)))
      if (!from) return shown(sessions.begin(name, { scenario, now }))
      throw new MockError(400, 'A session begins with a scenario or as a fork. Give scenario or from.')
    },
  }),
  route('GET /_mock/sessions/NAME', {
    about: 'Shows a session.',
    withoutSession: true,
    handle: ({ sessions, names: [name] }) => shown(sessions.get(name)),
  }),
  route('DELETE /_mock/sessions/NAME', {
    about: 'Ends a session.',
    withoutSession: true,
    handle: ({ sessions, names: [name] }) => sessions.end(name),
  }),
  route('POST /_mock/reset', {
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
  route('GET /_mock/clock', { about: 'Shows the clock.', handle: ({ session }) => clockOf(session) }),
  route('PATCH /_mock/clock', {
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
  route('GET /_mock/records/TYPE', {
    about: `Lists the records of a type, oldest first: ${defaultRecordCount}, or as many as ?first= says.`,
    query: z.strictObject({ first: wholeNumber.default(defaultRecordCount) }),
    handle: ({ records, names: [type], query }) => ({ records: records.list(type, query) }),
  }),
  route('POST /_mock/records/TYPE', {
    about: 'Creates a record. Fields that are not given get generated values.',
    body: record,
    handle: ({ records, names: [type], body }) => records.create(type, body),
  }),
  route('GET /_mock/records/TYPE/ID', {
    about: 'Shows a record.',
    handle: ({ records, names }) => records.get(...names),
  }),
  route('PATCH /_mock/records/TYPE/ID', {
    about: 'Changes fields of a record, also those that no mutation sets.',
    body: record,
    handle: ({ records, names, body }) => records.set(...names, body),
  }),
  route('DELETE /_mock/records/TYPE/ID', {
    about: 'Removes a record.',
    handle: ({ records, names }) => records.remove(...names),
  }),
  route('GET /_mock/snapshots', {
    about: 'Lists the snapshots of all sessions.',
    withoutSession: true,
    handle: ({ sessions }) => ({ snapshots: sessions.snapshots.map(shownSnapshot) }),
  }),
  route('POST /_mock/snapshots', {
    about: 'Saves the session under a name. A snapshot of the same name is replaced.',
    body: z.strictObject({ name: sessionName }),
    handle: ({ sessions, session, body: { name } }) => shownSnapshot(sessions.take(name, session)),
  }),
  route('POST /_mock/snapshots/NAME/restore', {
    about: 'Restores a snapshot in the session.',
    handle({ session, names: [name] }) {
      session.restore(name)
      return shown(session)
    },
  }),
  route('DELETE /_mock/snapshots/NAME', {
    about: 'Deletes a snapshot.',
    withoutSession: true,
    handle: ({ sessions, names: [name] }) => sessions.drop(name),
  }),
  route('POST /_mock/rewind', {
    about: 'Brings the session back to an earlier position of its log, or undoes its last changes.',
    body: z.union(
      alternatives(z.strictObject({ to: z.int().min(0) }), z.strictObject({ last: z.int().min(1) })),
      'Send { "to": POSITION } or { "last": NUMBER }',
    ),
    handle({ session, body }) {
      session.rewind(body)
      return shown(session)
    },
  }),
  route('GET /_mock/faults', {
    about: 'Lists the faults.',
    handle: ({ session }) => ({ faults: session.faults.list() }),
  }),
  route('PUT /_mock/faults', {
    about: 'Replaces all faults. Their counters begin at 0.',
    body: faultsDefinition,
    handle({ session, body }) {
      session.faults.set(body, placeOf)
      return { faults: session.faults.list() }
    },
  }),
  route('DELETE /_mock/faults', { about: 'Removes all faults.', handle: ({ session }) => session.faults.clear() }),
  route('GET /_mock/requests', {
    about: 'Lists the last requests to the API that match, oldest first. ?wait=2s waits until one does.',
    query: z.strictObject({
      operation: z.string().optional().describe('The name of the operation'),
      kind: z.enum(kinds).optional(),
      field: z.string().optional().describe('A field of the root'),
      status: z.coerce.number(aWholeNumber).int(aWholeNumber).optional(),
      outcome: z.enum(outcomes).optional(),
      fault: z.string().optional().describe('The name of the fault that was applied'),
      after: wholeNumber.optional().describe('Only requests after the one with this number'),
      wait: z.string().optional().describe('How long to wait until a request matches, at most 60s'),
    }),
    handle({ session: { journal }, signal, query: { wait, ...filter } }) {
      const list = () => ({ requests: journal.list(filter), last: journal.last })
      return wait === undefined ? list() : journal.wait(filter, readWait(wait), signal()).then(list)
    },
  }),
  route('DELETE /_mock/requests', {
    about: 'Forgets the requests. The numbers of later ones go on.',
    handle: ({ session }) => session.journal.clear(),
  }),
  route('GET /_mock/coverage', {
    about: 'Shows which documented operations and fields the requests used. ?format=text is a table.',
    query: z.strictObject({ format: z.enum(['json', 'text']).default('json') }),
    handle({ session: { journal }, query: { format } }) {
      const coverage = journal.coverage()
      return format === 'text' ? new TextResponse(coverageText(coverage)) : coverage
    },
  }),
  route('DELETE /_mock/coverage', {
    about: 'Resets the coverage.',
    handle: ({ session }) => session.journal.clearCoverage(),
  }),
]
