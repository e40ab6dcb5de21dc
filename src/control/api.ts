/** The control API: JSON over HTTP under `/_mock`, acting on the session that a request selects. */
import { GraphQLError } from 'graphql'
import { errorResponse, json, type HttpResponse } from '../server/http/response.js'
import type { Page } from '../server/http/front-door.js'
import { isForUser, validated } from '../shared/mistakes.js'
import { notWritable } from './log.js'
import { MockError } from './mock-error.js'
import { describeApi } from './openapi.js'
import { placeOf, readQuery, TextResponse, type Records } from './route.js'
import { routes } from './routes.js'
import type { Sessions } from './sessions.js'

export interface ControlOptions {
  readonly sessions: Sessions
  /** `host` is where the client reached the mock: pictures have it in their addresses. */
  readonly recordsOf: (session: string | undefined, host: string | undefined) => Records
  /** Other pages, which the description names too. */
  readonly others: readonly Page[]
}

/** The pages of the control API. */
export function createControlPages(options: ControlOptions): readonly Page[] {
  const { sessions, recordsOf, others } = options
  const pages = routes.map((route): Page => ({
    method: route.method,
    path: route.path,
    async handle({ names, session: name, host, query: sent, signal, json }) {
      const given = route.body ? await json() : { value: undefined }
      if ('status' in given) return given
      try {
        const body = route.body && validated(route.body, given.value ?? {}, placeOf)
        const query = readQuery(sent, route.query)
        const session = route.withoutSession ? sessions.base : sessions.get(name)
        const call = { sessions, session, records: recordsOf(name, host), names, signal, body, query }
        return responseOf(await route.handle(call as never))
      } catch (error) {
        return responseTo(error)
      }
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

const codes = { 400: 'BAD_REQUEST', 404: 'NOT_FOUND', 409: 'CONFLICT' } as const

/** Turns errors for users into responses. All others are unexpected. */
export function orError<Result>(work: () => Result): Result | HttpResponse {
  try {
    return work()
  } catch (error) {
    return responseTo(error)
  }
}

function responseTo(error: unknown): HttpResponse {
  const isLogError = error instanceof GraphQLError && error.extensions['code'] === notWritable
  if (isLogError) return errorResponse(507, notWritable, error.message)
  if (error instanceof MockError) return errorResponse(error.status, codes[error.status], error.message)
  if (isForUser(error)) return errorResponse(400, codes[400], error.message)
  throw error
}
