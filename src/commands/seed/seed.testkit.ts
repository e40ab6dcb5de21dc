/** A server to seed: the mock behind a socket that counts requests and can misbehave. */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Kind, parse } from 'graphql'
import { bodyOf } from '../body.testkit.js'
import { runCli, type Ran, type RunOptions } from '../cli.testkit.js'
import { runInProcess, type InProcessOptions } from '../in-process.testkit.js'
import { createMock, type Mock } from '../../mock/create-mock.js'
import type { MockOptions } from '../../mock/options.js'

export interface Sent {
  readonly query: string
  readonly variables: { readonly node?: Readonly<Record<string, unknown>> }
}

/** Ends a request in another way, before or after the mock handles it. */
export interface Faults {
  /** Returns true if it has answered, or closed the connection. */
  readonly before?: (mutation: number, response: ServerResponse, sent: Sent) => boolean
  readonly after?: (mutation: number, response: ServerResponse, sent: Sent) => boolean
}

export interface SeedServer {
  readonly mock: Mock
  readonly url: string
  readonly origin: string
  /** The mutations that arrived, in order. */
  readonly mutations: Sent[]
  readonly requests: string[]
  faults: Faults
  /** How long a mutation takes. Its client may be gone then. */
  latency: () => number
  /** Changes the text of each answer. */
  rewrite: (text: string) => string
  emails(): Promise<readonly string[]>
  names(): Promise<{ readonly stores: readonly string[]; readonly segments: readonly string[] }>
  close(): void
  /** Refuses connections for a while, as during a deploy. */
  deploy(ms: number): void
}

const empty = { customers: 0, segments: 0, stores: 0, integrations: 0, pixels: 0 }

const isMutation = (query: string) =>
  parse(query).definitions.some((it) => it.kind === Kind.OPERATION_DEFINITION && it.operation === 'mutation')

const withoutAnything = createMock({ freeze: true, counts: empty })

export async function startSeedServer(options?: MockOptions): Promise<SeedServer> {
  const mock = options ? createMock({ freeze: true, counts: empty, ...options }) : withoutAnything.fork()
  const mutations: Sent[] = []
  const requests: string[] = []
  const ask = async (query: string) => (await mock.execute({ query })).data as Record<string, unknown>
  const started: SeedServer = {
    mock,
    url: '',
    origin: '',
    mutations,
    requests,
    faults: {},
    latency: () => 0,
    rewrite: (text) => text,
    async emails() {
      const { customers } = await ask('{ customers(query: "", first: 20000) { edges { node { email } } } }')
      return (customers as { edges: { node: { email: string } }[] }).edges.map(({ node }) => node.email)
    },
    async names() {
      const { account, segments } = await ask(
        '{ account { stores { slug } } segments(query: "", first: 20000) { edges { node { name } } } }',
      )
      return {
        stores: (account as { stores: { slug: string }[] }).stores.map(({ slug }) => slug),
        segments: (segments as { edges: { node: { name: string } }[] }).edges.map(({ node }) => node.name),
      }
    },
    close() {
      server.closeAllConnections()
      server.close()
    },
    deploy(ms) {
      started.close()
      setTimeout(() => server.listen(port, '127.0.0.1'), ms)
    },
  }
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    // Any host, because it is also used as a proxy.
    const path = request.url?.replace(/^http:\/\/[^/]+/, '') ?? ''
    const sent = JSON.parse(body) as Sent
    requests.push(sent.query)
    const writes = isMutation(sent.query)
    if (writes) mutations.push(sent)
    const n = mutations.length
    if (writes && started.faults.before?.(n, response, sent)) return
    const ms = writes ? started.latency() : 0
    if (ms > 0) await wait(ms)
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const answer = await mock.fetch(`http://localhost${path}`, init)
    const text = started.rewrite(await answer.text())
    if (writes && started.faults.after?.(n, response, sent)) return
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return Object.assign(started, { origin: `http://127.0.0.1:${port}`, url: `http://127.0.0.1:${port}/api/v2` })
}

/** The binary. */
export const seedCli = (words: readonly string[], options: RunOptions): Promise<Ran> =>
  runCli(['seed', ...words], options)

/** The command in this process. */
export const seedHere = (words: readonly string[], options: InProcessOptions): Promise<Ran> =>
  runInProcess(['seed', ...words], options)
