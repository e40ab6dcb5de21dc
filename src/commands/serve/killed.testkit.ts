/** Kills `serve --state` under load, starts it again, and looks whether the log holds what was answered. */
import { startBinary } from '../binary.testkit.js'

interface Reply {
  readonly data?: Record<string, unknown> | null
  readonly errors?: readonly { readonly message: string }[]
}

export async function ask(url: string, query: string, variables: object = {}): Promise<Reply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  })
  return (await response.json()) as Reply
}

/** The names of all segments of a session, each as often as it is there. */
export async function segmentNames(url: string): Promise<string[]> {
  const { data } = await ask(url, '{ segments(query: "", first: 100000) { edges { node { name } } } }')
  const { edges } = data!['segments'] as { edges: { node: { name: string } }[] }
  return edges.map(({ node }) => node.name)
}

const create = 'mutation ($node: SegmentInput!) { createSegment(node: $node) { id } }'
const remove = 'mutation ($items: [ID!]!) { deleteSegments(items: $items) }'

/** Long, so that the log is soon compacted. */
const description = 'x'.repeat(60_000)

/** What may be wrong after a kill. All are empty if nothing is. */
interface Wrong {
  readonly lost: string[]
  readonly twice: string[]
  readonly half: string[]
  readonly back: string[]
}

/**
 * Clients create segments in pairs and delete some of the pairs, in sessions of their own, until the server is killed. Returns what is
 * wrong after the last start, and how much was answered.
 */
export async function killedOften(kills: number, options: readonly string[]) {
  const created = new Map<string, 'answered' | 'sent'>()
  const deleted = new Map<string, 'answered' | 'sent'>()
  const clients = ['', '/s/a', '/s/b', ''].map((session, at) => ({ session, prefix: `c${at}` }))
  let [count, answered, target] = [0, 0, 0]
  let reached = () => {}
  const sessionUrl = (origin: string, session: string) => `${origin}${session}/api/v2`

  async function work(url: string, prefix: string): Promise<void> {
    for (;;) {
      const pair = `${prefix}-${count++}`
      const ids: unknown[] = []
      for (const half of ['x', 'y']) {
        created.set(`${pair}${half}`, 'sent')
        const { data } = await ask(url, create, { node: { name: `${pair}${half}`, description } })
        ids.push((data!['createSegment'] as { id: string }).id)
        created.set(`${pair}${half}`, 'answered')
        if (++answered === target) setTimeout(reached, answered % 7)
      }
      if (count % 3 > 0) continue
      deleted.set(pair, 'sent')
      await ask(url, remove, { items: ids })
      deleted.set(pair, 'answered')
    }
  }

  const wrong: Wrong = { lost: [], twice: [], half: [], back: [] }
  async function look(origin: string): Promise<void> {
    for (const session of new Set(clients.map((it) => it.session))) {
      const names = await segmentNames(sessionUrl(origin, session))
      const there = new Set(names)
      wrong.twice.push(...names.filter((name, at) => /^c\d/.test(name) && names.indexOf(name) !== at))
      const own = clients.filter((it) => it.session === session).map(({ prefix }) => prefix)
      const isOwn = (name: string) => own.includes(name.split('-')[0] as string)
      for (const [name, state] of created) {
        const isDeleted = deleted.has(name.slice(0, -1))
        if (isOwn(name) && state === 'answered' && !isDeleted && !there.has(name)) wrong.lost.push(name)
      }
      for (const [pair, state] of deleted) {
        const halves = ['x', 'y'].filter((half) => there.has(pair + half)).length
        if (!isOwn(pair)) continue
        if (halves === 1) wrong.half.push(pair)
        if (halves > 0 && state === 'answered') wrong.back.push(pair)
      }
    }
  }

  for (let kill = 0; kill < kills; kill++) {
    const binary = await startBinary(options)
    if (kill > 0) await look(binary.origin)
    const load = clients.map(({ session, prefix }) => work(sessionUrl(binary.origin, session), prefix))
    // A number of answers, because machines differ in speed.
    target = answered + 40 + ((kill * 97) % 200)
    await new Promise<void>((resolve) => (reached = resolve))
    binary.signal('SIGKILL')
    await Promise.allSettled(load)
    await binary.ended
  }
  await using binary = await startBinary(options)
  await look(binary.origin)
  return { wrong, answered }
}

export const nothingWrong: Wrong = { lost: [], twice: [], half: [], back: [] }
