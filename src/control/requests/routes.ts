/** The part of the control API that shows requests and coverage. */
import * as z from 'zod'
import { readDuration } from '../../shared/time.js'
import { quote } from '../../shared/text.js'
import { MockError } from '../mock-error.js'
import { route, TextResponse, wholeNumber, type Route } from '../route.js'
import { coverageText } from './coverage.js'
import { kinds, outcomes } from './request.js'

/** The longest wait, because proxies give up on a connection on which nothing comes. */
const maxWait = 60_000

function readWait(text: string): number {
  const ms = readDuration(text)
  if (ms !== undefined && ms >= 0 && ms <= maxWait) return ms
  throw new MockError(400, `?wait= takes a duration of at most 60s, such as 2s, not ${quote(text)}.`)
}

export const requestRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/_mock/requests',
    about: 'Lists the last requests to the API that match, oldest first. ?wait=2s waits until one does.',
    query: z.strictObject({
      operation: z.string().optional().describe('The name of the operation'),
      kind: z.enum(kinds).optional(),
      field: z.string().optional().describe('A field of the root'),
      status: z.coerce.number().int().optional(),
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
  route({
    method: 'DELETE',
    path: '/_mock/requests',
    about: 'Forgets the requests. The numbers of later ones go on.',
    handle: ({ session }) => session.journal.clear(),
  }),
  route({
    method: 'GET',
    path: '/_mock/coverage',
    about: 'Shows which documented operations and fields the requests used. ?format=text is a table.',
    query: z.strictObject({ format: z.enum(['json', 'text']).default('json') }),
    handle({ session, query: { format } }) {
      const coverage = session.journal.coverage()
      return format === 'text' ? new TextResponse(coverageText(coverage)) : coverage
    },
  }),
  route({
    method: 'DELETE',
    path: '/_mock/coverage',
    about: 'Resets the coverage.',
    handle: ({ session }) => session.journal.clearCoverage(),
  }),
]
