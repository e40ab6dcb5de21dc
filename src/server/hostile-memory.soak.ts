/** Ten thousand different documents must not stay in memory, whether they are right, wrong or long. */
import { Agent, request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startChild, type Child } from './hostile.testkit.js'

const documents = 10_000
const maxGrown = 100 * 1024 * 1024
const atOnce = 8

let child: Child
const agent = new Agent({ keepAlive: true, maxSockets: atOnce })

beforeAll(async () => {
  child = await startChild('no-log')
})

afterAll(async () => {
  agent.destroy()
  await child?.[Symbol.asyncDispose]()
})

function post(query: string): Promise<string> {
  const body = JSON.stringify({ query })
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
  return new Promise((resolve, reject) => {
    const options = { agent, headers, method: 'POST', host: '127.0.0.1', port: child.ports.attacked, path: '/api/v2' }
    const sent = request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve(text))
    })
    sent.on('error', reject)
    sent.end(body)
  })
}

/** Sends documents by their numbers, a few at once, and counts the answers that have what they should. */
async function answered(from: number, to: number, make: (number: number) => string, wanted: string): Promise<number> {
  let next = from
  let right = 0
  async function work() {
    while (next < to) if ((await post(make(next++))).includes(wanted)) right += 1
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return right
}

const filler = 'lorem ipsum '.repeat(400)

describe.each<[name: string, make: (number: number) => string, wanted: string]>([
  [
    'that are right',
    (it) =>
      `query Q${it} { account { a${it}: id stores { id name } } segments(query: "", first: 2) { edges { cursor } } }`,
    '"data":{"account":{"a',
  ],
  ['that are wrong by rule', (it) => `query Q${it}($v${it}: Int) { __typename }`, 'is never used'],
  ['that are wrong by form', (it) => `{ account { a${it} ( } }`, 'Syntax Error'],
  ['that are long', (it) => `{ node(id: "${it} ${filler}") { id } } # ${it} ${filler}`, '"data":{"node":null}'],
])('10 000 documents %s', (name, make, wanted) => {
  test('grow the memory by less than 100 MiB', async () => {
    const warm = 300
    await answered(0, warm, make, wanted)
    const before = await child.report()
    expect(await answered(warm, warm + documents, make, wanted)).toBe(documents)
    const after = await child.report()
    process.stderr.write(`GROWN ${name} ${((after.rss - before.rss) / 1048576).toFixed(1)}\n`)
    expect(after.rss - before.rss).toBeLessThan(maxGrown)
  })
})
