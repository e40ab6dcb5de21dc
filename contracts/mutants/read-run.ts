/** Runs the checks that read against mutants and conforming variants. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checks } from '../checks.js'
import { mutants } from './mutants.js'
import { variants } from './variants/variants.js'
import type { MockSetup, HttpRule, Mutant, Variant } from './mutant.js'
import { contractShapes } from '../support/shapes.js'
import { isJudged, scoreMutants, scoreVariants, type Score } from './score.js'
import type { Check } from '../../src/contract/check.js'
import { createHttpTarget } from '../../src/client/http-target.js'
import type { Report } from '../../src/contract/report.js'
import { runChecks } from '../../src/contract/runner.js'
import type { Shapes } from '../../src/contract/shape.js'
import type { Answer, GraphqlRequest, SendOptions, Target } from '../../src/client/target.js'
import { endpoint } from '../../src/shared/endpoint.js'
import { defaultProfile } from '../../src/profile.js'
import { createMock, type Mock } from '../../src/mock/create-mock.js'
import { mockTarget } from '../../src/mock/mock-target.js'
import { ownPackage } from '../../src/shared/package.js'

/** Enough for pages of 25 and more, and for a window that holds a whole list. */
const usualCounts = { customers: 28, segments: 27, stores: 2, products: 80, integrations: 2, pixels: 1 }

export const runsAtOnce = 4

export async function scoreReading(): Promise<Score> {
  const bench = createBench(checks)
  const ofVariants = await atMost(runsAtOnce, variants, async (variant) => ({
    variant,
    report: await bench.variant(variant),
  }))
  const ofMutants = await atMost(runsAtOnce, mutants, async (mutant) => ({
    mutant,
    report: await bench.mutant(mutant),
  }))
  return { ...scoreMutants(ofMutants, checks), ...scoreVariants(ofVariants, checks) }
}

export interface Bench {
  /** Runs all checks that can fail, unless others are given. */
  mutant(mutant: Mutant, checks?: readonly Check[]): Promise<Report>
  variant(variant: Variant, checks?: readonly Check[]): Promise<Report>
}

/** Runs checks against mutants and variants. Their worlds are frozen, so each request is sent to a world only once. */
export function createBench(suite: readonly Check[]): Bench {
  const shapes = memoized(contractShapes())
  // An assumed check cannot fail, so no mutant needs it.
  const judged = suite.filter(isJudged)
  const worlds = new Map<string, Target>()
  const worldOf = (world: MockSetup = {}): Target => {
    const key = JSON.stringify(world)
    const known = worlds.get(key) ?? recorded(executed(mockWith(world)))
    worlds.set(key, known)
    return known
  }
  const run = (target: Target, checks = suite) => runChecks({ checks, target, shapes, expected: defaultProfile })
  return {
    mutant: ({ world, wrap }, only = judged) => run(wrap(worldOf(world), shapes), only),
    async variant({ world, wrap = (it) => it, http }, only = suite) {
      const target = wrap(worldOf(world), shapes)
      return http ? overHttp(target, http, (client) => run(client, only)) : run(target, only)
    },
  }
}

/** A mock of the world that a mutant or a variant needs. */
export function mockWith({ counts, profile, schema: edits = {} }: MockSetup): Mock {
  const schema = Object.entries(edits).reduce((text, [old, made]) => {
    if (!text.includes(old)) throw new Error(`The schema does not contain ${JSON.stringify(old)}.`)
    return text.replace(old, made)
  }, ownPackage().schema)
  return createMock({ freeze: true, counts: { ...usualCounts, ...counts }, profile, schema })
}

/** The mock without its front door, except for requests that show the front door: half the time of each request. */
function executed(mock: Mock): Target {
  const target = mockTarget(mock)
  return {
    ...target,
    async send(request, options = {}) {
      if (options.method === 'GET' || options.accept !== undefined) return target.send(request, options)
      const { query, variables, operationName } = request
      const result = await mock.execute({ query, variables, operationName })
      return { status: 200, body: JSON.parse(JSON.stringify(result)) as Answer['body'], ms: 0 }
    },
  }
}

/** Shapes that judge each answer once. */
function memoized(shapes: Shapes): Shapes {
  const known = new WeakMap<object, Map<string, ReturnType<Shapes['judge']>>>()
  const assumed = new Map<string, readonly string[]>()
  return {
    ...shapes,
    judge(document, data, variables) {
      const ofData = known.get(data) ?? new Map<string, ReturnType<Shapes['judge']>>()
      known.set(data, ofData)
      const judgment = ofData.get(document) ?? shapes.judge(document, data, variables)
      ofData.set(document, judgment)
      return judgment
    },
    assumedIn(document) {
      const found = assumed.get(document) ?? shapes.assumedIn(document)
      assumed.set(document, found)
      return found
    },
  }
}

/** A target that answers a repeated request from memory. */
function recorded(target: Target): Target {
  const answers = new Map<string, Promise<Answer>>()
  return {
    ...target,
    send(request, { method, accept } = {}) {
      const key = JSON.stringify([request, method, accept])
      const known = answers.get(key) ?? target.send(request, { method, accept })
      answers.set(key, known)
      return known
    },
  }
}

/** Runs the checks against a target served over HTTP, with each response changed by a rule. */
async function overHttp(target: Target, rule: HttpRule, run: (target: Target) => Promise<Report>): Promise<Report> {
  let call = 0
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { asked, options } = await readRequest(request)
    const number = (call += 1)
    const { status, body } = await target.send(asked, options)
    const headers = { 'content-type': 'application/json; charset=utf-8' }
    const sent = await rule({ status, headers, body: Buffer.from(JSON.stringify(body)) }, number)
    response.writeHead(sent.status, sent.headers)
    for (const piece of [sent.body].flat()) response.write(piece)
    response.end()
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const client = createHttpTarget({ baseUrl: new URL(`http://127.0.0.1:${port}${endpoint}`) })
  try {
    return await run(client)
  } finally {
    await client.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}

async function readRequest(request: IncomingMessage): Promise<{ asked: GraphqlRequest; options: SendOptions }> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const method = request.method === 'GET' ? 'GET' : 'POST'
  const url = new URL(request.url ?? '/', 'http://127.0.0.1')
  const asked =
    method === 'GET'
      ? { query: url.searchParams.get('query') ?? '' }
      : (JSON.parse(Buffer.concat(chunks).toString()) as GraphqlRequest)
  const accept = request.headers.accept
  const plain = accept === undefined || accept.includes('application/json')
  return { asked, options: { method, ...(plain ? {} : { accept }) } }
}

export async function atMost<Item, Value>(
  max: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = []
  const left = [...items.entries()]
  const next = async () => {
    for (let it = left.shift(); it; it = left.shift()) values[it[0]] = await work(it[1])
  }
  await Promise.all(Array.from({ length: max }, next))
  return values
}
