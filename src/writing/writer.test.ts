/** A run undoes what it wrote, whatever goes wrong, and touches nothing else. */
import type { Data } from '../contract/check.js'
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { held, mockOf, recording, runWriting, shapes, strangersIn } from '../../contracts/mutants/writing.testkit.js'
import { repeating } from '../../contracts/mutants/late-reads.js'
import { mutating, mutationsIn, sending } from '../../contracts/mutants/mutation-rules.js'
import { pixels } from '../../contracts/account.js'
import { writeChecks } from '../../contracts/write-checks.js'
import { writable, writeResources } from '../../contracts/resources.js'
import { plainTarget } from '../../contracts/mutants/write-run.js'
import { prepareWriting } from '../commands/check/writing.js'
import { operation } from '../contract/operation.js'
import { defaultProfile } from '../profile.js'
import { createLedger, openLedger, type Ledger } from './ledger.js'
import { ledgerInMemory } from './memory-ledger.testkit.js'
import { createContext } from '../contract/context.js'
import { cleanUp } from './cleanup.js'
import { TargetError, type Answer, type GraphqlRequest, type Target } from '../client/target.js'
import { newLag } from './eventually.js'
import { createWriters } from './writer.js'

const small = { counts: { customers: 4, segments: 4, stores: 2, integrations: 1, products: 5 } }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writer-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const isWrite = ({ query }: GraphqlRequest) => mutationsIn(query).length > 0

/** A target with a fault at its nth write. */
function struck(target: Target, nth: number, strike: (send: () => Promise<Answer>) => Promise<Answer>): Target {
  let writes = 0
  return {
    ...target,
    send(request, options) {
      if (isWrite(request)) writes += 1
      const send = () => target.send(request)
      return isWrite(request) && writes === nth ? strike(send) : target.send(request, options)
    },
  }
}

function contextOf(target: Target, recoverPages?: number) {
  const limits = { maxRequests: Infinity, signal: new AbortController().signal }
  return createContext({ target, shapes, expected: defaultProfile, recoverPages, limits, shared: new Map() })
}

const remove = (target: Target, ledger: Ledger, { ownRun = false, recoverPages }: RemoveOptions = {}) =>
  cleanUp({
    ledger,
    resources: writeResources,
    context: contextOf(target, recoverPages),
    consistencyTimeout: 0,
    ownRun,
  })

interface RemoveOptions {
  readonly ownRun?: boolean
  readonly recoverPages?: number
}

const asItWas = held(mockOf(small))

/** E-mail addresses that more than one customer has. */
async function sharedAddresses(mock: ReturnType<typeof mockOf>): Promise<readonly string[]> {
  const { data } = await mock.execute({ query: '{ customers(query: "", first: 25) { edges { node { email } } } }' })
  const { edges } = (data as unknown as { customers: { edges: { node: { email: string } }[] } }).customers
  const all = edges.map(({ node }) => node.email)
  return all.filter((it, at) => all.indexOf(it) !== at)
}

/** How many mutations a run sends that may write these resources, cleanup included. */
async function writesOf(allowed: readonly string[]): Promise<number> {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  const { exitCode } = await runWriting({ target: recorder, mock, allowed })
  expect(exitCode).toBe(0)
  expect(held(mock)).toEqual(asItWas)
  return mutations.length
}

interface Turn {
  readonly allowed: readonly string[]
  readonly nth: number
}

const turnsOf = async (allowed: readonly string[]): Promise<readonly Turn[]> =>
  Array.from({ length: await writesOf(allowed) }, (_, at) => ({ allowed, nth: at + 1 }))

/** Every write of every resource alone, and of a run that may write all. */
const all = await turnsOf(writable)
const turns = (await Promise.all(writable.map((kind) => turnsOf([kind])))).flat()

/** A sixteenth of all turns, and all of them in a soak: each turn is a whole run. */
const sampled = (offset: number): readonly Turn[] =>
  turns.filter((_, at) => process.env['SOAK'] !== undefined || at % 16 === offset % 16)

test('A run on the mock writes every resource, and leaves the mock as it was.', () => {
  expect(all.length).toBeGreaterThan(30)
  expect(turns.length).toBe(all.length)
})

const lost = new TargetError('The answer was lost.')

const faults = {
  'its response is lost': async (send: () => Promise<Answer>) => {
    await send()
    throw lost
  },
  'it is lost on the way': async () => {
    throw lost
  },
  'it is certainly not sent': async () => {
    throw new TargetError('The target does not listen.', { unsent: true })
  },
  'it is rejected': async (): Promise<Answer> => ({
    status: 200,
    body: { data: null, errors: [{ message: 'No.' }] },
    ms: 0,
  }),
}

describe.each(Object.entries(faults).map(([name, fault], at) => ({ name, fault, at })))(
  'If a write fails because $name',
  ({ fault, at }) => {
    test('everything is as it was', async () => {
      for (const { allowed, nth } of sampled(at)) {
        const mock = mockOf(small)
        const ledger = ledgerInMemory()
        const { recorder, mutations } = recording(struck(plainTarget(mock), nth, fault))
        const report = await runWriting({ target: recorder, mock, ledger, allowed })
        const cleanup = report.results.find(({ id }) => id === 'leaves-no-trace')
        // If cleanup itself was hit, the ledger is for another cleanup.
        if (cleanup?.outcome !== 'pass') await remove(plainTarget(mock), ledger)
        expect(held(mock), `${allowed.join()}: write ${nth}: ${cleanup?.sentence}`).toEqual(asItWas)
        expect(await sharedAddresses(mock)).toEqual([])
        expect(strangersIn(mutations, ledger)).toEqual([])
      }
    })
  },
)

test('A lost response with stale reads breaks no promise.', async () => {
  const broken = sampled(0).map(async ({ allowed, nth }) => {
    const mock = mockOf(small)
    const late = repeating(45)(struck(plainTarget(mock), nth, faults['its response is lost']), shapes)
    const { results } = await runWriting({ target: late, mock, allowed, consistencyTimeout: 1000 })
    const said = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'notice')
    return said.map(({ id, sentence }) => `${allowed.join()}, write ${nth}: ${id}: ${sentence}`)
  })
  expect((await Promise.all(broken)).flat()).toEqual([])
})

describe.each([
  ['before it is done', false, 0],
  ['once it is done', true, 2],
])('A run that ends at each write in turn, %s', (_, done, offset) => {
  test('by a signal, leaves everything as it was.', async () => {
    for (const { allowed, nth } of sampled(offset)) {
      const mock = mockOf(small)
      const ledger = ledgerInMemory()
      const ending = new AbortController()
      const target = struck(plainTarget(mock), nth, async (send) => {
        if (done || ending.signal.aborted) await send()
        ending.abort()
        ending.signal.throwIfAborted()
        throw lost
      })
      const report = await runWriting({ target, mock, ledger, allowed, signal: ending.signal })
      if (report.results.at(-1)?.outcome !== 'pass') await remove(plainTarget(mock), ledger)
      expect(held(mock), `${allowed.join()}: write ${nth}`).toEqual(asItWas)
      expect(await sharedAddresses(mock)).toEqual([])
    }
  })

  test('killed, leaves a ledger from which cleanup restores everything.', async () => {
    for (const { allowed, nth } of sampled(offset + 1)) {
      const mock = mockOf(small)
      const path = join(folder, `${allowed.join()}-${nth}.jsonl`)
      const ledger = createLedger(path, { run: 'cm-abcdef', baseUrl: 'x', by: 'check' })
      let dead = false
      const dying = struck(plainTarget(mock), nth, async (send) => {
        if (done) await send()
        copyFileSync(path, `${path}.left`)
        dead = true
        throw lost
      })
      const target: Target = {
        ...dying,
        send: (request, options) => (dead ? Promise.reject(new Error('dead')) : dying.send(request, options)),
      }
      await runWriting({ target, mock, ledger, allowed })
      ledger.close()
      const left = openLedger(`${path}.left`, 'check')
      const { recorder, mutations } = recording(plainTarget(mock))
      const { unconfirmed } = await remove(recorder, left)
      // The first cleanup cannot tell a stale read; the second one can.
      const late = unconfirmed.filter((it) => it.includes('Run the cleanup again'))
      expect(late.length).toBeLessThanOrEqual(2)
      expect(unconfirmed).toEqual(late)
      expect((await remove(recorder, left)).unconfirmed).toEqual([])
      expect(held(mock), `${allowed.join()}: write ${nth}`).toEqual(asItWas)
      expect(await sharedAddresses(mock)).toEqual([])
      expect(strangersIn(mutations, left)).toEqual([])
      left.close()
    }
  })
})

test('A lost object in a list that is too long to search is reported.', async () => {
  const mock = mockOf({ counts: { ...small.counts, segments: 1200 } })
  const plain = plainTarget(mock)
  const unordered: Target = {
    ...plain,
    send: (request, options) =>
      JSON.stringify(request.variables ?? {}).includes('order_by')
        ? Promise.resolve({ status: 200, ms: 0, body: { errors: [{ message: 'No such filter.' }] } })
        : plain.send(request, options),
  }
  const target = struck(unordered, 1, faults['its response is lost'])
  const { exitCode, results } = await runWriting({ target, mock, allowed: ['segments'], recoverPages: 1 })
  expect([exitCode, results.at(-1)?.outcome]).toEqual([2, 'error'])
  expect(results.at(-1)?.sentence).toContain(
    'An object of segments tagged cm-abcdef-1 may have been created: the list is too long to search.',
  )
})

const updating = 'mutation M($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }'

/** A target that somebody else writes to right after its nth write. */
function shared(target: Target, nth: number, write: (lists: Record<string, readonly Data[]>) => object): Target {
  return struck(target, nth, async (send) => {
    const answer = await send()
    const { body } = await target.send({ query: pixels.document })
    const node = write(body.data?.['account'] as Record<string, readonly Data[]>)
    await target.send({ query: updating, variables: { node } })
    return answer
  })
}

const pixelsOf = async (target: Target) =>
  (await target.send({ query: pixels.document })).body.data?.['account'] as Record<string, readonly Data[]>

const theirs = { label: 'Of somebody else', value: '1' }
const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels']

test.each(pixelLists)(
  'A pixel that somebody adds to %s stays, whenever it is added, and ours is removed.',
  async (list) => {
    const plain = await pixelsOf(plainTarget(mockOf(small)))
    const atMost = await writesOf(['pixels'])
    for (let nth = 1; nth <= atMost; nth += 1) {
      const mock = mockOf(small)
      const target = shared(plainTarget(mock), nth, (it) => ({ [list]: [...(it[list] ?? []), theirs] }))
      const { exitCode } = await runWriting({ target, mock, allowed: ['pixels'] })
      expect(exitCode).toBe(0)
      expect(await pixelsOf(plainTarget(mock))).toEqual({ ...plain, [list]: [...(plain[list] ?? []), theirs] })
    }
  },
)

test('A pixel of ours that somebody removed or changed is left alone; the changed one is reported.', async () => {
  const mock = mockOf(small)
  const emptied = shared(plainTarget(mock), 4, (it) => ({
    snapchat_pixels: [theirs],
    tiktok_pixels: it['tiktok_pixels']?.map((row) => ({ ...row, value: 'of the agency' })),
  }))
  const { results, exitCode } = await runWriting({ target: emptied, mock, allowed: ['pixels'] })
  const lists = await pixelsOf(plainTarget(mock))
  expect(exitCode).toBe(2)
  expect(results.at(-1)?.sentence).toMatch(
    /tiktok_pixels holds pixels tagged cm-abcdef-3 that this run did not add in this form: \[\{"label":"cm-abcdef-3 .*","value":"of the agency"\}\]\. Left in place/,
  )
  expect(lists['snapchat_pixels']).toEqual([theirs])
  expect(lists['tiktok_pixels']?.at(-1)).toMatchObject({ value: 'of the agency' })
  expect(JSON.stringify(lists['facebook_pixels'])).not.toContain('cm-abcdef')
})

describe('An object whose id is known is removed by that id alone', () => {
  /** A run that died after it created a segment, and what somebody did since. */
  async function left(since: (target: Target, id: string, name: string) => Promise<unknown>) {
    const mock = mockOf(small)
    const target = plainTarget(mock)
    const name = 'Guests cm-abcdef-1'
    const { body } = await target.send({ query: `mutation { createSegment(node: { name: "${name}" }) { id } }` })
    const { id } = (body.data as { createSegment: { id: string } }).createSegment
    const ledger = ledgerInMemory()
    const [entry] = ledger.intend([{ kind: 'segments', key: 'cm-abcdef-1' }])
    ledger.record(entry?.n as number, 'created', id)
    await since(target, id, name)
    const before = held(mock)
    const { recorder, mutations } = recording(target)
    const { unconfirmed } = await remove(recorder, ledger)
    return { id, unconfirmed: unconfirmed.join(' '), mutations, before, after: held(mock) }
  }
  const copy = (target: Target, name: string) =>
    target.send({ query: `mutation { createSegment(node: { name: "Copy of ${name}" }) { id } }` })
  const strange = /Found seg_\S+ of segments tagged cm-abcdef-1 that this run did not create/

  test('and a copy stays if it was renamed', async () => {
    const { id, unconfirmed, mutations, before, after } = await left(async (target, own, name) => {
      await copy(target, name)
      await target.send({ query: `mutation { updateSegment(id: "${own}", node: { name: "Adopted" }) { id } }` })
    })
    expect([mutations, after]).toEqual([[], before])
    expect(unconfirmed).toContain(`${id} of segments no longer carries the tag cm-abcdef-1`)
    expect(unconfirmed).toMatch(strange)
  })

  test('and a copy stays if it was deleted', async () => {
    const { unconfirmed, mutations, before, after } = await left(async (target, own, name) => {
      await copy(target, name)
      await target.send({ query: `mutation { deleteSegments(items: ["${own}"]) }` })
    })
    expect([mutations, after]).toEqual([[], before])
    expect(unconfirmed).toMatch(strange)
  })

  test('and a copy stays, and is reported', async () => {
    const { id, unconfirmed, mutations } = await left((target, _, name) => copy(target, name))
    expect(mutations.map(({ variables }) => variables)).toEqual([{ items: [id] }])
    expect(unconfirmed).toMatch(strange)
  })
})

test('An object that a gateway created twice is reported and left alone.', async () => {
  const mock = mockOf(small)
  const plain = plainTarget(mock)
  const twice: Target = {
    ...plain,
    async send(request, options) {
      if (mutationsIn(request.query).some(({ name }) => /^create(Segment|Customer|Conversion)/.test(name))) {
        await plain.send(request, options)
      }
      return plain.send(request, options)
    },
  }
  const { results, exitCode } = await runWriting({
    target: twice,
    mock,
    allowed: ['segments', 'customers', 'integrations'],
  })
  const extra = held(mock)
    .filter((it) => !asItWas.includes(it))
    .map((it) => /"id":"([^"]+)"/.exec(it)?.[1])
  expect(extra.filter((it) => it?.startsWith('seg'))).not.toEqual([])
  expect(extra.filter((it) => it?.startsWith('int'))).not.toEqual([])
  expect(results.at(-1)?.sentence?.match(/of customers tagged/g)).toHaveLength(3)
  for (const id of extra) expect(results.at(-1)?.sentence).toMatch(new RegExp(`Found ${id} of \\w+ tagged`))
  // Creating two is a broken promise as well.
  expect(exitCode).toBe(1)
})

test('An object that is not visible stays in the ledger until the next cleanup.', async () => {
  const mock = mockOf(small)
  const plain = plainTarget(mock)
  const old = plainTarget(mock.fork())
  let late = true
  const target: Target = { ...plain, send: (it, options) => (late && !isWrite(it) ? old : plain).send(it, options) }
  const ledger = ledgerInMemory()
  ledger.intend([{ kind: 'segments', key: 'cm-abcdef-1' }])
  await plain.send({ query: 'mutation { createSegment(node: { name: "Guests cm-abcdef-1" }) { id } }' })
  const first = await remove(target, ledger)
  late = false
  const second = await remove(target, ledger)
  expect([first.removed.length, first.unconfirmed.length, second.removed.length, second.unconfirmed.length]).toEqual([
    0, 1, 1, 0,
  ])
  expect(held(mock)).toEqual(asItWas)
})

test('An object that was gone before is counted apart from those that were removed.', async () => {
  const { recorder, mutations } = recording(plainTarget(mockOf(small)))
  const ledger = ledgerInMemory()
  for (const [kind, id] of [
    ['pixels', 'tiktok_pixels'],
    ['segments', 'seg_gone'],
  ] as const) {
    const [entry] = ledger.intend([{ kind, key: `cm-abcdef-${id}`, keep: { list: id } }])
    ledger.record(entry?.n as number, 'created', id)
  }
  await remove(recorder, ledger)
  const { removed, alreadyGone } = await remove(recorder, ledger)
  expect([removed.length, alreadyGone.length, mutations]).toEqual([0, 2, []])
})

test('If the tag of a created object is cut off, no more are created.', async () => {
  const mock = mockOf(small)
  const cutting = mutating({
    createSegment: sending((args) => ({ ...args, node: { ...(args['node'] as Data), name: 'Guests' } })),
  })(plainTarget(mock), shapes)
  const { recorder, mutations } = recording(cutting)
  const { results, exitCode } = await runWriting({ target: recorder, mock, allowed: ['segments'] })
  const made = mutations.filter(({ query }) => mutationsIn(query).some(({ name }) => name === 'createSegment'))
  expect(made).toHaveLength(1)
  expect(results.at(-1)?.sentence).toContain('tagged cm-abcdef-1, but does not show that tag')
  expect(exitCode).not.toBe(0)
})

test.each(['deleteSegments', 'deleteStore', 'removeIntegration', 'updateAccount'])(
  'A %s of the cleanup that is lost on the way is sent again.',
  async (name) => {
    const mock = mockOf(small)
    const plain = plainTarget(mock)
    const ledger = ledgerInMemory()
    const isIt = ({ query }: GraphqlRequest) => mutationsIn(query).some((it) => it.name === name)
    let lost = false
    const target: Target = {
      ...plain,
      async send(request, options) {
        if (isIt(request) && ledger.entries().some(({ state }) => state === 'removing') && !lost) {
          lost = true
          throw new TargetError('The connection was cut.')
        }
        return plain.send(request, options)
      },
    }
    // Its check would remove the integration before the cleanup.
    const checks = writeChecks.filter(({ id }) => id !== 'remove-integration')
    const { results } = await runWriting({ target, mock, ledger, checks })
    expect([lost, results.at(-1)?.outcome]).toEqual([true, 'pass'])
    expect(held(mock)).toEqual(asItWas)
  },
)

test('No e-mail address of another customer is written.', async () => {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  await runWriting({ target: recorder, mock, allowed: ['customers'] })
  const { data } = await mock.execute({ query: '{ customers(query: "", first: 4) { edges { node { email } } } }' })
  const { edges } = (data as unknown as { customers: { edges: { node: { email: string } }[] } }).customers
  expect(edges).toHaveLength(4)
  for (const { node } of edges) expect(JSON.stringify(mutations)).not.toContain(node.email)
})

test.each([
  ['the run itself', true, 3],
  ['its ledger', false, 2],
])(
  'An object that is already gone, which the server rejects, does not keep %s from removing the rest.',
  async (_, ownRun, taken) => {
    const mock = mockOf({ ...small, profile: { unknown_delete: 'error' } })
    const target = plainTarget(mock)
    const ledger = ledgerInMemory()
    const ids: string[] = []
    for (const key of ['cm-abcdef-1', 'cm-abcdef-2', 'cm-abcdef-3']) {
      const query = `mutation { createSegment(node: { name: "Guests ${key}" }) { id } }`
      const { body } = await target.send({ query })
      const { createSegment } = body.data as { createSegment: { id: string } }
      const { id } = createSegment
      const [entry] = ledger.intend([{ kind: 'segments', key }])
      ledger.record(entry?.n as number, 'created', id)
      ids.push(id)
    }
    await target.send({ query: `mutation { deleteSegments(items: ["${ids[1]}"]) }` })
    const { removed, unconfirmed } = await remove(target, ledger, { ownRun })
    expect([removed.length, unconfirmed.length]).toEqual([taken, 0])
    expect(held(mock)).toEqual(asItWas)
  },
)

const namesOf = (sent: readonly GraphqlRequest[]) =>
  [...new Set(sent.flatMap(({ query }) => mutationsIn(query).map(({ name }) => name)))].sort()

const ofKind: Readonly<Record<string, readonly string[]>> = {
  segments: ['createSegment', 'deleteSegments', 'updateSegment'],
  stores: ['addProductsToStore', 'createStore', 'deleteStore', 'updateStore'],
  integrations: ['createConversionApiFacebookIntegration', 'removeIntegration'],
  pixels: ['updateAccount'],
  customers: ['createCustomer', 'updateCustomer'],
}

test.each(writable.map((kind) => [kind]))('Only allowed resources are written: %s', async (kind) => {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  await runWriting({ target: recorder, mock, allowed: [kind] })
  expect(namesOf(mutations)).toEqual(ofKind[kind])
})

test('As many pixels are added as announced.', async () => {
  const mock = mockOf(small)
  const ledger = ledgerInMemory()
  await runWriting({ target: plainTarget(mock), mock, ledger, allowed: ['pixels'] })
  const { announcement, finish } = prepareWriting({ resources: ['pixels'] }, { shapes })
  const lines = await announcement(() => Promise.reject(new Error('Nothing is asked.')))
  finish()
  expect(lines.join('\n')).toContain(`pixels: ${ledger.entries().length} are added to the lists`)
})

test('If nothing is allowed, nothing is written.', async () => {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  await runWriting({ target: recorder, mock, allowed: [] })
  expect(mutations).toEqual([])
})

test('An object that is not in the ledger is never changed.', async () => {
  const { recorder, mutations } = recording(plainTarget(mockOf(small)))
  const options = {
    ledger: ledgerInMemory(),
    resources: writeResources,
    inputs: { advice: '', values: () => ({}), typeOf: async () => undefined },
    row: () => ({}),
    productUids: [],
    lag: newLag(0),
  }
  const writer = createWriters(options).writerFor(contextOf(recorder))
  const deleting = operation('mutation M { deleteStore(items: ["store_x"]) { id } }')
  await expect(writer.change(deleting, ['store_x'])).rejects.toThrow('store_x was not created by this run')
  await expect(writer.remove(deleting, ['store_x'])).rejects.toThrow('store_x was not created by this run')
  expect(mutations).toEqual([])
})

test('A secret that a server returns as an id is not stored in the ledger.', async () => {
  const mock = mockOf(small)
  const plain = plainTarget(mock)
  const target: Target = {
    ...plain,
    redact: (text) => text.replaceAll('canary', '***'),
    async send(request, options) {
      if (!request.query.includes('createSegment')) return plain.send(request, options)
      const data = { createSegment: { __typename: 'Segment', id: 'canary-1', name: 'x' } }
      return { status: 200, ms: 0, body: { data } }
    },
  }
  const path = join(folder, 'secret.jsonl')
  const ledger = createLedger(path, { run: 'cm-abcdef', baseUrl: 'http://localhost/api/v2', by: 'check' })
  await runWriting({ target, mock, ledger, allowed: ['segments'] })
  ledger.close()
  expect(readFileSync(path, 'utf8')).not.toContain('canary')
  expect(held(mock)).toEqual(asItWas)
})

test('An object that is created after the cleanup is reported, and removed by the next cleanup.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  const late: (() => Promise<Answer>)[] = []
  const slow: Target = {
    ...target,
    async send(request, options) {
      if (!request.query.includes('createStore') || late.length > 0) return target.send(request, options)
      late.push(() => target.send(request))
      throw new TargetError('No answer within 10 s.')
    },
  }
  const ledger = ledgerInMemory()
  // Segments are created before and removed after it, so the reads are known to be fresh.
  const { results } = await runWriting({ target: slow, mock, ledger, allowed: ['segments', 'stores'] })
  expect(results.at(-1)).toMatchObject({ id: 'leaves-no-trace', outcome: 'error' })
  expect(results.at(-1)?.sentence).toContain('may still be created: the server did not respond')
  await late[0]?.()
  await remove(target, ledger)
  expect(held(mock)).toEqual(asItWas)
})

test('A list that cannot be read does not keep the others from being cleaned up, and is reported.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  let broken = false
  const breaking: Target = {
    ...target,
    async send(request, options) {
      // Only cleanup follows the pixels.
      if (mutationsIn(request.query).some(({ name }) => name === 'updateAccount')) broken = true
      if (broken && request.query.includes('facebook_pixels') && !isWrite(request)) {
        throw new TargetError('The answer is no JSON.')
      }
      return target.send(request, options)
    },
  }
  const { results } = await runWriting({ target: breaking, mock, allowed: ['segments', 'stores', 'pixels'] })
  const left = held(mock).filter((it) => !asItWas.includes(it))
  expect(left.map((it) => it.slice(0, 25))).toEqual(['{"__typename":"Account","'])
  expect(results.at(-1)?.sentence).toMatch(/cm-abcdef-\d+ of pixels may still exist: The answer is no JSON\./)
})

test('If reads never change, a pixel is reported, and not believed to be gone.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  const first = new Map<string, Promise<Answer>>()
  const frozen: Target = {
    ...target,
    send(request, options) {
      if (isWrite(request)) return target.send(request, options)
      const key = JSON.stringify([request.query, request.variables])
      const answer = first.get(key) ?? target.send(request, options)
      first.set(key, answer)
      return answer
    },
  }
  const ledger = ledgerInMemory()
  const { results } = await runWriting({ target: frozen, mock, ledger, allowed: ['pixels'] })
  const left = held(mock).filter((it) => !asItWas.includes(it))
  expect(JSON.stringify(left)).toContain('cm-abcdef-1')
  expect(results.at(-1)).toMatchObject({ id: 'leaves-no-trace', outcome: 'error' })
  expect(results.at(-1)?.sentence).toContain(
    'facebook_pixels was returned for a new object of pixels tagged cm-abcdef-1',
  )
  // Once the pixel is visible, it is removed.
  await remove(target, ledger)
  expect(held(mock)).toEqual(asItWas)
})

test('A pixel that a server only claims to remove is reported.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  let writes = 0
  const keeping: Target = {
    ...target,
    async send(request, options) {
      if (!isWrite(request) || (writes += 1) <= 4) return target.send(request, options)
      const query = pixels.document
      const { body } = await target.send({ query })
      const { account } = body.data as { account: object }
      return {
        status: 200,
        ms: 0,
        body: { data: { updateAccount: { ...account, ...(request.variables?.['node'] as object) } } },
      }
    },
  }
  const { results } = await runWriting({ target: keeping, mock, allowed: ['pixels'] })
  expect(results.at(-1)).toMatchObject({ outcome: 'error' })
  expect(results.at(-1)?.sentence).toContain(
    'facebook_pixels of pixels, tagged cm-abcdef-4, could not be removed: it still exists.',
  )
})

describe('A server that rejects a read', () => {
  const refused: Answer = { status: 200, body: { data: null, errors: [{ message: 'No.' }] }, ms: 0 }
  const unordered = ({ variables = {} }: GraphqlRequest) => JSON.stringify(variables).includes('order_by')
  /** The ledger of an existing segment, at a server that rejects some requests. */
  async function madeAt(counts: Readonly<Record<string, number>>, refuses: (request: GraphqlRequest) => boolean) {
    const mock = mockOf({ counts: { ...small.counts, ...counts } })
    const plain = plainTarget(mock)
    const { body } = await plain.send({
      query: 'mutation { createSegment(node: { name: "Guests cm-abcdef-1" }) { id } }',
    })
    const { id } = (body.data as { createSegment: { id: string } }).createSegment
    const ledger = ledgerInMemory()
    const [entry] = ledger.intend([{ kind: 'segments', key: 'cm-abcdef-1' }])
    ledger.record(entry?.n as number, 'created', id)
    const target: Target = {
      ...plain,
      send: (it, options) => (refuses(it) ? Promise.resolve(refused) : plain.send(it, options)),
    }
    return {
      target: recording(target),
      ledger,
      id,
      there: async () => (await plain.send({ query: `{ node(id: "${id}") { id } }` })).body.data?.['node'],
    }
  }
  const node = ({ query }: GraphqlRequest) => query.includes('node(id')

  test('node: the list shows the segment, and it is removed.', async () => {
    const { target, ledger, there } = await madeAt({}, node)
    const { removed, unconfirmed } = await remove(target.recorder, ledger)
    expect([removed.length, unconfirmed, await there()]).toEqual([1, [], null])
  })

  test('node, with a list that is too long: nothing is touched.', async () => {
    const { target, ledger, id } = await madeAt({ segments: 1200 }, (it) => node(it) || unordered(it))
    const { unconfirmed } = await remove(target.recorder, ledger, { recoverPages: 1 })
    expect(unconfirmed).toEqual([
      `${id} of segments, tagged cm-abcdef-1, may still exist: the list is too long to search.`,
    ])
    expect(target.mutations).toEqual([])
  })

  test('the list: what node shows is removed; what it does not show counts as gone at the second cleanup.', async () => {
    const { target, ledger, there } = await madeAt({}, ({ query }) => query.includes('segments('))
    const [gone, lost] = ledger.intend(['2', '3'].map((it) => ({ kind: 'segments', key: `cm-abcdef-${it}` })))
    ledger.record(gone?.n as number, 'created', 'seg_gone')
    const { removed, unconfirmed } = await remove(target.recorder, ledger)
    expect([removed.length, await there(), lost?.state]).toEqual([1, null, 'intended'])
    expect(unconfirmed).toEqual([
      'seg_gone of segments, tagged cm-abcdef-2, is not visible, but what the server shows may be out of date. Run the cleanup again in a minute.',
      'An object of segments tagged cm-abcdef-3 may have been created: the list cannot be read: The server rejects `segments(query: "", first: 25)`: “No.”.',
    ])
    expect((await remove(target.recorder, ledger)).alreadyGone).toHaveLength(1)
  })

  test('node and the delete: the segment is not believed to be gone.', async () => {
    const { target, ledger, id } = await madeAt({}, (it) => node(it) || isWrite(it))
    const { removed, unconfirmed } = await remove(target.recorder, ledger, { ownRun: true })
    expect([removed, unconfirmed]).toEqual([[], [`${id} of segments, tagged cm-abcdef-1, could not be removed: No.`]])
  })
})

test.each(['segments', 'integrations'])(
  'An object that a server only claims to delete is reported: %s',
  async (kind) => {
    const mock = mockOf(small)
    const plain = plainTarget(mock)
    const gone = new Set<unknown>()
    // Only lists hide it.
    const lying: Target = {
      ...plain,
      async send(request, options) {
        const { variables = {} } = request
        const [name] = mutationsIn(request.query).map((it) => it.name)
        if (name === 'deleteSegments') {
          for (const id of variables['items'] as readonly string[]) gone.add(id)
          return { status: 200, ms: 0, body: { data: { deleteSegments: variables['items'] } } }
        }
        const asked =
          name === 'removeIntegration'
            ? { query: '{ removeIntegration: account { id integrations { id } } }' }
            : request
        if (name === 'removeIntegration') gone.add(variables['id'])
        const answer = await plain.send(asked, options)
        const without = (_: string, value: unknown): unknown =>
          Array.isArray(value)
            ? value.filter(
                (it) =>
                  !gone.has((it as Data | null)?.['id']) &&
                  !gone.has(((it as Data | null)?.['node'] as Data | undefined)?.['id']),
              )
            : value
        return { ...answer, body: JSON.parse(JSON.stringify(answer.body), without) as Answer['body'] }
      },
    }
    const { results } = await runWriting({ target: lying, mock, allowed: [kind] })
    const left = held(mock)
      .filter((it) => !asItWas.includes(it))
      .map((it) => /cm-abcdef-\d+/.exec(it)?.[0] ?? it)
    expect(left.length).toBeGreaterThan(0)
    for (const key of left) expect(results.at(-1)?.sentence).toContain(`tagged ${key}, could not be removed`)
  },
)
