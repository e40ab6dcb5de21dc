/** The OpenAPI description of the control API. */
import * as z from 'zod'
import type { Page } from '../server/http/front-door.js'
import { sessionHeader } from '../shared/endpoint.js'
import type { Route } from './route.js'

type Described = Pick<Page, 'method' | 'path' | 'about'> & Partial<Pick<Route, 'body' | 'query' | 'withoutSession'>>

const placeholders = /[A-Z]+/g

export function describeApi(routes: readonly Described[]) {
  const paths: Record<string, Record<string, object>> = {}
  for (const route of routes) {
    const path = route.path.replace(placeholders, (name) => `{${name.toLowerCase()}}`)
    ;(paths[path] ??= {})[route.method.toLowerCase()] = operationOf(route)
  }
  return {
    openapi: '3.1.0',
    info: { title: 'The control API of commerce-mock', version: '2' },
    paths,
  }
}

function operationOf({ path, about, body, query, withoutSession }: Described) {
  const names = (path.match(placeholders) ?? []).map((name) => name.toLowerCase())
  const inPath = names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }))
  const session = {
    name: sessionHeader,
    in: 'header',
    description: 'The session to act on',
    schema: { type: 'string' },
  }
  return {
    summary: about,
    parameters: [...inPath, ...(query ? inQuery(query) : []), ...(withoutSession ? [] : [session])],
    ...(body && {
      requestBody: { content: { 'application/json': { schema: z.toJSONSchema(body, { io: 'input' }) } } },
    }),
    responses: {
      200: { description: 'Done.', content: { 'application/json': {} } },
      400: { description: 'The request is wrong; the message says how.' },
      404: { description: 'There is no such session, record or snapshot.' },
    },
  }
}

const inQuery = (query: z.ZodType) =>
  Object.entries(z.toJSONSchema(query).properties ?? {}).map(([name, schema]) => ({ name, in: 'query', schema }))
