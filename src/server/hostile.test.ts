/** Hostile requests get useful errors, leak nothing, and do not affect later requests. */
import { homedir, hostname } from 'node:os'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { exampleCustomer } from '../../contracts/operations.testkit.js'
import { dump, sendOf, sendTo } from '../mock/dump.testkit.js'
import { createMock } from '../index.js'
import { childCounts, fewConnections, type ChildReport } from './hostile-child.testkit.js'
import { secret, wordyUpdate, type Given, type Row } from './hostile-row.testkit.js'
import { families } from './hostile-rows.testkit.js'
import { wrongTypes } from './hostile-types.testkit.js'
import {
  ask,
  exchange,
  jsonOf,
  post,
  repeated,
  request,
  startChild,
  type Answer,
  type Child,
  type Exchange,
  type Sent,
} from './hostile.testkit.js'

const fresh = createMock({ freeze: true, counts: childCounts })
const rows: Readonly<Record<string, readonly Row[]>> = { ...families, 'wrong types': wrongTypes(fresh.schema) }

let child: Child
let given: Given
let before: ChildReport
const slow: string[] = []

beforeAll(async () => {
  child = await startChild('log')
  given = await prepared()
  // Loads and compiles code before the first measurement.
  await send(ask('{ __schema { types { name } } }'))
  await send(request('GET /api/v2 HTTP/1.1', ['accept: text/html', 'accept-encoding: gzip']))
  before = await child.report()
})

afterAll(async () => {
  if (slow.length > 0) process.stderr.write(`Requests of more than two seconds:\n${slow.join('\n')}\n`)
  await child?.[Symbol.asyncDispose]()
})

const send = (sent: Sent): Promise<Exchange> => exchange(child.ports.attacked, sent)
const urlOf = (port: number) => `http://localhost:${port}/api/v2`

async function prepared(): Promise<Given> {
  const tell = sendTo(urlOf(child.ports.attacked))
  type Edge = { cursor: string; node: { id: string } }
  type Page = { edges: [Edge] }
  const edge = 'edges { cursor node { id } }'
  const data = (await tell(`{
    customers(query: "", first: 1) { ${edge} }
    descending: customers(query: "order_by:id order_dir:desc", first: 1) { ${edge} }
    byName: customers(query: "order_by:full_name", first: 1) { ${edge} }
    segments(query: "", first: 1) { ${edge} }
    account { stores { id products { cursor } } }
  }`)) as Record<'customers' | 'descending' | 'byName' | 'segments', Page> & {
    account: { stores: [{ id: string; products: [{ cursor: string }] }, { id: string }] }
  }
  const node = { ...exampleCustomer, email: 'wordy@example.com' }
  const sent = await send(ask('mutation ($node: InputCustomer!) { createCustomer(node: $node) { id } }', { node }))
  const { createCustomer } = (jsonOf(sent.answers[0] as Answer) as { data: { createCustomer: { id: string } } }).data
  const change = 'mutation ($id: ID!, $node: InputUpdateCustomer!) { updateCustomer(id: $id, node: $node) { id } }'
  await send(ask(change, { id: createCustomer.id, node: wordyUpdate }))
  const [store, otherStore] = data.account.stores
  return {
    customer: data.descending.edges[0].node.id,
    wordy: createCustomer.id,
    segment: data.segments.edges[0].node.id,
    store: store.id,
    otherStore: otherStore.id,
    cursors: {
      customers: data.customers.edges[0].cursor,
      descending: data.descending.edges[0].cursor,
      byName: data.byName.edges[0].cursor,
      segments: data.segments.edges[0].cursor,
      products: store.products[0].cursor,
    },
  }
}

const hangs = 20_000
const slowFrom = 2000
const root = join(import.meta.dirname, '../..')
/** Stack frames, files, and names of JavaScript errors. */
const internal = new RegExp(
  [
    String.raw`\n\s*at `,
    String.raw`\bat [\w.<>]+ \(`,
    String.raw`\bfile:///|\bnode:`,
    String.raw`\.[cm]?[jt]s:\d`,
    'node_modules',
    String.raw`\b(Type|Range|Reference|Syntax|Internal)Error\b`,
    ...[root, homedir(), hostname()].filter((it) => it.length > 3).map((it) => it.replace(/\W/g, String.raw`\$&`)),
  ].join('|'),
)

/** Checks that hold for every response. */
function wellBehaved(name: string, sent: Sent, { answers, ms }: Exchange): void {
  if (ms > slowFrom) slow.push(`${Math.round(ms)} ms: ${name}`)
  expect(ms, 'duration').toBeLessThan(hangs)
  const text = Buffer.concat(sent.filter((it) => typeof it !== 'number')).toString('utf8')
  for (const answer of answers) {
    expect(answer.status).toBeLessThan(500)
    const { data, errors = [] } = jsonOf(answer) ?? {}
    const head = JSON.stringify(answer.headers)
    expect(head).not.toContain(secret)
    if (data === undefined && answer.headers['content-type']?.startsWith('text/html')) continue
    expect(answer.body.includes(secret), 'a secret in the answer').toBe(false)
    const messages = errors.map((it) => it.message).join('\n')
    expect(messages).not.toMatch(internal)
    // Data is what the client asked for.
    if (data === undefined) expect(answer.body).not.toMatch(internal)
    for (const { message } of errors) expect(repeated(message, text), `repeats the request: ${message}`).toBe(undefined)
  }
}

function codeOf(answer: Answer): string | undefined {
  // Node answers what it cannot parse, without a body.
  if (answer.body === '') return [400, 408, 431].includes(answer.status) ? 'BAD_REQUEST' : 'empty'
  const { data, errors } = jsonOf(answer) ?? {}
  if (errors) return errors[0]?.extensions?.code
  return data === undefined ? 'page' : 'data'
}

describe.each(Object.entries(rows))('%s', (_, familyRows) => {
  test.each(familyRows.map((row) => [row[0], row] as const))('%s', async (name, [, make, status, code, more]) => {
    const made = make(given)
    const list = 'all' in made ? made.all : [made]
    expect(list.length).toBeGreaterThan(0)
    for (const sent of list) {
      const exchanged = await exchange(child.ports[more?.port ?? 'attacked'], sent, hangs)
      wellBehaved(name, sent, exchanged)
      const { answers, closed } = exchanged
      const said = answers.map((it) => it.body.slice(0, 500)).join('\n')
      const about = `${said}\nfor ${Buffer.concat(sent.filter((it) => typeof it !== 'number')).toString('latin1', 0, 1500)}`
      expect(closed, 'the server closed the connection').toBe(true)
      expect(answers.length, about).toBe(more?.answers ?? 1)
      const last = answers.at(-1) as Answer
      expect([last.status, codeOf(last)], about).toEqual([status, code])
      const errors = jsonOf(last)?.errors ?? []
      if (more?.option !== undefined) expect(errors.map((it) => it.message).join('\n')).toContain(more.option)
      if (more?.last !== undefined) expect(errors.at(-1)?.extensions?.code).toBe(more.last)
      if (status === 405 && code !== 'empty') expect(last.headers['allow'] ?? 'CONNECT').not.toBe('')
    }
  })
})

describe('with other connections', () => {
  const body = '{"query":"{ __typename }"}'
  const [whole] = post(body) as [Buffer]

  /** Opens connections that send bytes and then stay silent. */
  async function beside(count: number, bytes: Buffer): Promise<Socket[]> {
    const sockets = Array.from({ length: count }, () => connect({ port: child.ports.attacked, host: '127.0.0.1' }))
    for (const socket of sockets) socket.on('error', () => {})
    await Promise.all(sockets.map((it) => new Promise<void>((resolve) => void it.write(bytes, () => resolve()))))
    return sockets
  }

  test.each<[name: string, bytes: Buffer]>([
    ['nothing', Buffer.alloc(0)],
    ['half a line', Buffer.from('POST /api')],
    ['half the headers', Buffer.from('POST /api/v2 HTTP/1.1\r\nHost: localhost\r\nX: ')],
    ['half a body', whole.subarray(0, -10)],
    [
      'half a chunk',
      Buffer.from('POST /api/v2 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n20\r\n{"q'),
    ],
  ])('it answers at once while 40 connections have sent %s', async (_, bytes) => {
    const sockets = await beside(40, bytes)
    for (let i = 0; i < 5; i++) {
      const { answers, ms } = await send(post(body))
      expect(answers.map(codeOf)).toEqual(['data'])
      expect(ms).toBeLessThan(slowFrom)
    }
    for (const socket of sockets) socket.destroy()
    expect((await send(post(body))).answers.map(codeOf)).toEqual(['data'])
  })

  test.each<[name: string, bytes: Buffer]>([
    ['a body', whole],
    [
      'chunks',
      Buffer.from(
        `POST /api/v2 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1a\r\n${body}\r\n0\r\n\r\n`,
      ),
    ],
  ])('it answers at once while %s arrives byte by byte, and answers that too', async (_, bytes) => {
    const drip = exchange(
      child.ports.attacked,
      [...bytes].flatMap((byte) => [Buffer.from([byte]), 5]),
    )
    for (let i = 0; i < 5; i++) expect((await send(post(body))).ms).toBeLessThan(slowFrom)
    expect((await drip).answers.map(codeOf)).toEqual(['data'])
  })

  test('it still answers after clients disconnect at any point', async () => {
    for (let length = 1; length < whole.length; length += 3) {
      const [socket] = (await beside(1, whole.subarray(0, length))) as [Socket]
      socket.destroy()
    }
    const [answered] = (await beside(1, whole)) as [Socket]
    answered.resetAndDestroy()
    expect((await send(post(body))).answers.map(codeOf)).toEqual(['data'])
  })

  test('it answers a client that closed its own side', async () => {
    const answer = await new Promise<string>((resolve) => {
      let text = ''
      const socket = connect({ port: child.ports.attacked, host: '127.0.0.1', allowHalfOpen: true })
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
      socket.on('close', () => resolve(text))
      socket.end(whole)
    })
    expect(answer).toContain('{"data":{"__typename":"Query"}}')
  })

  test('it drops one connection too many, and serves it after others have closed', async () => {
    const { narrow } = child.ports
    const holders = Array.from({ length: fewConnections }, () => connect({ port: narrow, host: '127.0.0.1' }))
    for (const it of holders) it.write('POST /api')
    await Promise.all(holders.map((it) => new Promise((resolve) => it.once('connect', resolve))))
    expect((await exchange(narrow, post(body))).answers).toEqual([])
    for (const it of holders) it.destroy()
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect((await exchange(narrow, post(body))).answers.map(codeOf)).toEqual(['data'])
  })
})

describe('afterwards', () => {
  /** Picture URLs contain the port. */
  const dumpOf = async (port: number) =>
    (await dump(sendTo(urlOf(port)))).replace(/\/\/localhost:\d+\//g, '//localhost/')
  let report: ChildReport
  let untouched: string

  beforeAll(async () => {
    report = await child.report()
    untouched = await dumpOf(child.ports.untouched)
  })

  test('there was no unexpected error', () => {
    expect(report.unexpected).toEqual([])
  })

  test('the log contains no secret, no body and no long line', () => {
    const { log } = report
    expect(log.length).toBeGreaterThan(1000)
    expect(log.filter((line) => line.includes(secret) || /__typename|<script|\p{C}/u.test(line))).toEqual([])
    expect(Math.max(...log.map((line) => line.length))).toBeLessThan(600)
  })

  test('the memory has grown by less than 200 MiB', () => {
    expect((report.rss - before.rss) / 1024 / 1024).toBeLessThan(200)
  })

  test('every list can be read to its end', async () => {
    const text = await dumpOf(child.ports.attacked)
    expect(text.split('\n').length).toBeGreaterThan(childCounts.customers)
    expect(text).not.toContain('polluted')
  })

  test('an untouched fork has not changed', async () => {
    const own = await dump(sendOf(fresh))
    expect(untouched === own.replace(/\/\/localhost:\d+\//g, '//localhost/'), 'the dumps are equal').toBe(true)
  })

  test('a reset restores the attacked mock', async () => {
    await send(request('POST /_mock/reset HTTP/1.1', []))
    expect((await dumpOf(child.ports.attacked)) === untouched, 'the dumps are equal').toBe(true)
  })
})
