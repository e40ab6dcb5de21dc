/** A session of a server, over its control API. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, vi } from 'vitest'
import type { Fault } from '../control/faults/fault.js'
import { createMock } from '../mock/create-mock.js'
import { openSession } from './remote-mock.js'

test('A session on a server does what a mock in the process does.', async () => {
  await using server = createMock({ token: 'secret' })
  const { url } = await server.listen({ port: 0 })
  const world = { world: 'small-shop', now: new Date('2026-01-31T12:00:00Z') }
  const { mock, end } = await openSession({ url, token: 'secret', session: 'a' }, world)
  const local = createMock({ ...world, freeze: true })
  const query = '{ customers(query: "", first: 50) { edges { node { id full_name created_at } cursor } } }'
  for (const it of [mock, local]) {
    const { id } = await it.create('Customer', { full_name: 'Ada Lovelace', created_at: new Date('2026-01-01') })
    await it.clock.advance(60_000)
    await it.clock.advance('2 days')
    await it.set('Customer', id, { expenses: 12.5 })
    const saved = await it.snapshot('a')
    await it.remove('Customer', id)
    await it.rewind({ last: 1 })
    await it.restore(saved)
  }
  expect(await mock.list('Customer')).toEqual(local.list('Customer').map(withHost))
  expect(await mock.list('Segment', { first: 2 })).toEqual(local.list('Segment', { first: 2 }))
  expect(await mock.clock.now()).toBe(local.clock.now())
  expect(await mock.execute({ query })).toEqual(await local.execute({ query }))
  const faults: Fault[] = [{ on: { operation: 'Nothing' }, status: 503 }]
  await mock.faults.set(faults)
  expect(await mock.faults.list()).toEqual(faults)
  await mock.faults.clear()
  expect(await mock.faults.list()).toEqual([])
  await mock.clock.set(0)
  await mock.clock.run()
  await mock.clock.freeze()
  expect(await mock.clock.now()).toBeGreaterThanOrEqual(0)
  await mock.reset({ now: world.now })
  expect(await mock.clock.now()).toBe(world.now.getTime())
  await end()
  const headers = { authorization: 'Bearer secret' }
  expect(await (await server.fetch('/_mock/sessions', { headers })).json()).toEqual({ sessions: [] })
  expect(await (await server.fetch('/_mock/snapshots', { headers })).json()).toEqual({ snapshots: [] })

  /** The pictures of a session have its name in their path. */
  function withHost(record: object): object {
    return JSON.parse(JSON.stringify(record).replaceAll('localhost:4000/', `${new URL(url).host}/s/a/`)) as object
  }
})

test('Requests of a session on a server are listed, found and waited for.', async () => {
  await using server = createMock()
  const { url } = await server.listen({ port: 0 })
  const { mock } = await openSession({ url, session: 'a' })
  const send = (first: number) =>
    mock.execute({
      query: 'query Segments($first: Int) { segments(query: "", first: $first) { edges { cursor } } }',
      variables: { first },
    })
  await send(1)
  const fetched = vi.spyOn(globalThis, 'fetch')
  const next = mock.requests.next({ operation: 'Segments', variables: { first: 3 } }, { timeout: 60_000 })
  // It asks for a number, not for a thousand requests.
  expect(fetched.mock.calls[0]?.[0]).toBe(`${new URL(url).origin}/_mock/requests?after=${Number.MAX_SAFE_INTEGER}`)
  fetched.mockRestore()
  await send(2)
  await send(3)
  expect(await next).toMatchObject({ n: 3, status: 200, variables: { first: 3 } })
  await expect(mock.requests.next({ operation: 'Segment', after: 1 }, { timeout: 1 })).rejects.toThrow(
    /^Waited 1 ms for Segment\.\nDid you mean Segments\?\n2 requests came:\n {2}#2 /,
  )
  expect(await mock.requests.list()).toEqual(server.session('a').requests.list())
  expect(await mock.requests.find({ variables: { first: expect.any(Number) } })).toMatchObject({ n: 1 })
  expect(await mock.requests.list({ kind: 'mutation' })).toEqual([])
  expect(await mock.coverage()).toEqual(server.session('a').coverage())
  await mock.requests.clear()
  expect(await mock.requests.list()).toEqual([])
  await expect(mock.requests.list({ opration: 'x' } as never)).rejects.toThrow('Did you mean operation?')
  expect(server.requests.list()).toEqual([])
})

test('Errors say in one line what is wrong.', async () => {
  await expect(openSession({ url: 'http://localhost:1', session: 'a' })).rejects.toThrow(
    'No mock answers at http://localhost:1. Start one with npx commerce-mock serve.',
  )
  await using server = createMock({ token: 'secret' })
  const { url } = await server.listen({ port: 0 })
  await expect(openSession({ url, session: 'a' })).rejects.toThrow('This mock requires a token.')
  const { mock } = await openSession({ url, session: 'b', token: 'secret' })
  await expect(mock.create('Customers')).rejects.toThrow('There are no records of type "Customers".')
  await expect(mock.list('Customer', { frist: 1 } as never)).rejects.toThrow('Did you mean first?')
  await expect(mock.clock.advance('soon')).rejects.toThrow('Cannot read the duration "soon".')
  await expect(mock.faults.set([{ null: 'Customer.expences' }])).rejects.toThrow('Did you mean expenses?')
  await expect(mock.clock.advance(0.5)).rejects.toThrow('"advance": Write text such as "3h", or milliseconds.')
  await expect(mock.clock.set(new Date(NaN))).rejects.toThrow('"now": Write ISO 8601 text, or milliseconds.')
})

test('A server that is not a mock is named.', async () => {
  await using page = createServer((_, response) => void response.writeHead(404).end('<!doctype html>')).listen(0)
  await once(page, 'listening')
  const url = `http://localhost:${(page.address() as AddressInfo).port}`
  await expect(openSession({ url, session: 'a' })).rejects.toThrow(
    `${url} is not a mock: POST /_mock/sessions answers 404 without JSON.`,
  )
})

test('A session can begin at the time of day, and is frozen there.', async () => {
  await using server = createMock()
  const { url } = await server.listen({ port: 0 })
  const before = Date.now()
  const { mock } = await openSession({ url, session: 'a' }, { now: 'real' })
  const now = await mock.clock.now()
  expect(now).toBeGreaterThanOrEqual(before)
  expect(now).toBeLessThanOrEqual(Date.now())
  expect(await mock.clock.now()).toBe(now)
})
