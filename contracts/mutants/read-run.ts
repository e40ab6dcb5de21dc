/** The checks that read put to the test: every saboteur must be caught, by just the checks that it names, and no lawful variant. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { checks as allChecks } from '../checks.js'
import { mutants as allSaboteurs } from './mutants.js'
import { variants as allVariants } from './variants.js'
import type { BirthOptions, HttpRule, Mutant, Variant, Wrap } from './mutant.js'
import { serviceShapes } from '../support/shapes.js'
import { isJudged, selfVerdict, type MutantRun, type SelfTestReport, type VariantRun } from './score.js'
import type { Check } from '../../src/contract/check.js'
import { createHttpTarget } from '../../src/client/http-target.js'
import type { Report } from '../../src/contract/report.js'
import { runChecks } from '../../src/contract/runner.js'
import type { Shapes } from '../../src/contract/shape.js'
import type { Answer, GraphqlRequest, SendOptions, Target } from '../../src/client/target.js'
import { endpoint } from '../../src/server/http/front-door.js'
import { parseSchema } from '../../src/schema/load.js'
import { defaultProfile } from '../../src/profile.js'
import { createMock, type Mock } from '../../src/mock/create-mock.js'
import { mockTarget } from '../../src/mock/mock-target.js'
import { ownPackage } from '../../src/shared/package.js'

export interface SelfTestOptions {
  /** The suite that is put to the test; ours unless given. */
  readonly checks?: readonly Check[] | undefined
  readonly mutants?: readonly Mutant[] | undefined
  readonly variants?: readonly Variant[] | undefined
  readonly onProgress?: ((id: string, done: number, of: number) => void) | undefined
}

/** Enough for pages of 25 and more, and a window that holds the whole of a list. */
const usualCounts = { customers: 28, segments: 27, stores: 2, products: 80, integrations: 2, pixels: 1 }

export const runsAtOnce = 4

export async function selfTest(options: SelfTestOptions = {}): Promise<SelfTestReport> {
  const { checks = allChecks, mutants = allSaboteurs, variants = allVariants, onProgress } = options
  const bench = createBench(checks)
  const of = mutants.length + variants.length
  let done = 0
  const progress = (id: string) => onProgress?.(id, (done += 1), of)
  const ofVariants = atMost(runsAtOnce, variants, async (variant): Promise<VariantRun> => {
    const report = await bench.variant(variant)
    progress(variant.id)
    return { variant, report }
  })
  const ofSaboteurs = atMost(runsAtOnce, mutants, async (mutant): Promise<MutantRun> => {
    const report = await bench.mutant(mutant)
    progress(mutant.id)
    return { mutant, report }
  })
  return selfVerdict({ mutants: await ofSaboteurs, variants: await ofVariants }, checks)
}

export interface Bench {
  mutant(mutant: Mutant): Promise<Report>
  variant(variant: Variant): Promise<Report>
}

/** Where saboteurs and variants are run. Each world is asked the same thing only once: it is frozen, and only read. */
export function createBench(suite: readonly Check[]): Bench {
  // Nothing is written here, so checks that write cannot be tested by this.
  const checks = suite.filter(({ writes }) => writes === undefined)
  const shapes = remembering(serviceShapes(parseSchema(ownPackage().schema)))
  // What is only assumed never fails, whatever a saboteur does.
  const judged = checks.filter(isJudged)
  const worlds = new Map<string, Target>()
  const born = (world: BirthOptions = {}): Target => {
    const key = JSON.stringify(world)
    const known = worlds.get(key) ?? recorded(mockTarget(bornAs(world)))
    worlds.set(key, known)
    return known
  }
  const run = (target: Target, chosen = checks) =>
    runChecks({ checks: chosen, target, shapes, expected: defaultProfile })
  const wrapped = (world: BirthOptions | undefined, wrap: Wrap = (it) => it) => wrap(born(world), shapes)
  return {
    mutant: ({ world, wrap }) => run(wrapped(world, wrap), judged),
    async variant({ world, wrap, http }) {
      const target = wrapped(world, wrap)
      return http ? overHttp(target, http, run) : run(target)
    },
  }
}

/** A mock as a saboteur or a variant wants it to be born. */
export function bornAs({ counts, profile, schema: edits = {} }: BirthOptions): Mock {
  const schema = Object.entries(edits).reduce((text, [old, made]) => {
    if (!text.includes(old)) throw new Error(`The schema does not hold ${JSON.stringify(old)}.`)
    return text.replace(old, made)
  }, ownPackage().schema)
  return createMock({ freeze: true, counts: { ...usualCounts, ...counts }, profile, schema })
}

/** Shapes that judge an answer once, however many runs get the very same. */
function remembering(shapes: Shapes): Shapes {
  const known = new WeakMap<object, Map<string, ReturnType<Shapes['judge']>>>()
  const assumed = new Map<string, readonly string[]>()
  return {
    ...shapes,
    judge(document, data, variables) {
      const ofData = known.get(data) ?? new Map<string, ReturnType<Shapes['judge']>>()
      known.set(data, ofData)
      const problems = ofData.get(document) ?? shapes.judge(document, data, variables)
      ofData.set(document, problems)
      return problems
    },
    assumedIn(document) {
      const found = assumed.get(document) ?? shapes.assumedIn(document)
      assumed.set(document, found)
      return found
    },
  }
}

/** A target that answers a repeated request as it did before. */
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

/** Serves a target on this machine, with a change of what goes over the wire, for as long as it is judged. */
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
  most: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Value>,
): Promise<readonly Value[]> {
  const values: Value[] = []
  const left = [...items.entries()]
  const next = async () => {
    for (let it = left.shift(); it; it = left.shift()) values[it[0]] = await work(it[1])
  }
  await Promise.all(Array.from({ length: most }, next))
  return values
}
