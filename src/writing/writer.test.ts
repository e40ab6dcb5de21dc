/** What a run writes is undone, whatever goes wrong on the way, and nothing else is touched. */
import { copyFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { held, mockOf, recording, runWriting, shapes, strangersIn } from '../../contracts/mutants/writing.testkit.js'
import { repeating } from '../../contracts/mutants/late-reads.js'
import { mutating, mutationsIn, sending, type Data } from '../../contracts/mutants/mutation-rules.js'
import { pixels } from '../../contracts/account.js'
import { writeChecks } from '../../contracts/write-checks.js'
import { others } from '../../contracts/support/others.js'
import { writable, writeKinds } from '../../contracts/writes.js'
import { plainTarget } from '../../contracts/mutants/write-run.js'
import { prepareWriting } from '../commands/check/writing.js'
import { defaultProfile } from '../profile.js'
import { createLedger, openLedger, type Ledger } from './ledger.js'
import { ledgerInMemory } from './memory-ledger.js'
import { removeTraces } from '../contract/runner.js'
import { TargetError, type Answer, type GraphqlRequest, type Target } from '../client/target.js'
import { createWriter, nothingWritten } from './writer.js'

const small = { counts: { customers: 4, segments: 4, stores: 2, integrations: 1, products: 5 } }

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'writer-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const isWrite = ({ query }: GraphqlRequest) => mutationsIn(query).length > 0

/** A target to which something happens at its nth write. */
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

const remove = (target: Target, ledger: Ledger, ownRun = false) =>
  removeTraces({ target, ledger, kinds: writeKinds, others, shapes, expected: defaultProfile, settleMs: 0, ownRun })

const asItWas = await held(mockOf(small))

/** E-mail addresses that more than one customer has. */
async function sharedAddresses(mock: ReturnType<typeof mockOf>): Promise<readonly string[]> {
  const { data } = await mock.execute({ query: '{ customers(query: "", first: 25) { edges { node { email } } } }' })
  const { edges } = (data as unknown as { customers: { edges: { node: { email: string } }[] } }).customers
  const all = edges.map(({ node }) => node.email)
  return all.filter((it, at) => all.indexOf(it) !== at)
}

/** How many writes a run sends that may write these kinds, the undoing included. */
async function writesOf(allowed: readonly string[]): Promise<number> {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  const { exitCode } = await runWriting({ target: recorder, mock, allowed })
  expect(exitCode).toBe(0)
  expect(await held(mock)).toEqual(asItWas)
  return mutations.length
}

interface Turn {
  readonly allowed: readonly string[]
  readonly nth: number
}

const turnsOf = async (allowed: readonly string[]): Promise<readonly Turn[]> =>
  Array.from({ length: await writesOf(allowed) }, (_, at) => ({ allowed, nth: at + 1 }))

/** Each write of each kind, and of a run that may write all. */
const all = await turnsOf(writable)
const turns = (await Promise.all(writable.map((kind) => turnsOf([kind])))).flat()

test('A run on the mock sends each kind of write, and leaves it as it was.', () => {
  expect(all.length).toBeGreaterThan(30)
  expect(turns.length).toBe(all.length)
})

const lost = new TargetError('The answer was lost.')

const faults = {
  'its answer is lost': async (send: () => Promise<Answer>) => {
    await send()
    throw lost
  },
  'it is lost on its way': async () => {
    throw lost
  },
  'it is surely not sent': async () => {
    throw new TargetError('The target does not listen.', { unsent: true })
  },
  'it is refused': async (): Promise<Answer> => ({
    status: 200,
    body: { data: null, errors: [{ message: 'No.' }] },
    retries: 0,
    ms: 0,
  }),
}

describe.each(Object.entries(faults))('Each write in turn: %s', (_, fault) => {
  test('and everything is as it was.', async () => {
    for (const { allowed, nth } of turns) {
      const mock = mockOf(small)
      const ledger = ledgerInMemory()
      const { recorder, mutations } = recording(struck(plainTarget(mock), nth, fault))
      const report = await runWriting({ target: recorder, mock, ledger, allowed })
      const traces = report.results.find(({ id }) => id === 'leaves-no-trace')
      // Where an undoing itself was struck, the ledger is left for another time.
      if (traces?.outcome !== 'pass') await remove(plainTarget(mock), ledger)
      expect(await held(mock), `${allowed.join()}: write ${nth}: ${traces?.sentence}`).toEqual(asItWas)
      expect(await sharedAddresses(mock)).toEqual([])
      expect(strangersIn(mutations, ledger)).toEqual([])
    }
  })
})

test('An answer that is lost where reads are late breaks no promise.', async () => {
  const broken = turns.map(async ({ allowed, nth }) => {
    const mock = mockOf(small)
    const late = repeating(45)(struck(plainTarget(mock), nth, faults['its answer is lost']), shapes)
    const { results } = await runWriting({ target: late, mock, allowed, settleMs: 1000 })
    const said = results.filter(({ outcome }) => outcome === 'fail' || outcome === 'notice')
    return said.map(({ id, sentence }) => `${allowed.join()}, write ${nth}: ${id}: ${sentence}`)
  })
  expect((await Promise.all(broken)).flat()).toEqual([])
})

describe.each([
  ['before it is done', false],
  ['once it is done', true],
])('A run that ends at each write in turn, %s', (_, done) => {
  test('by a signal, leaves everything as it was.', async () => {
    for (const { allowed, nth } of turns) {
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
      expect(await held(mock), `${allowed.join()}: write ${nth}`).toEqual(asItWas)
      expect(await sharedAddresses(mock)).toEqual([])
    }
  })

  test('by its death, leaves a ledger by which everything is as it was.', async () => {
    for (const { allowed, nth } of turns) {
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
      const { doubt } = await remove(recorder, left)
      // What never arrived, or was just taken away, may be late, and is known not to be once it is looked for again.
      const late = doubt.filter((it) => it.includes('look again with --remove'))
      expect(late.length).toBeLessThanOrEqual(1)
      expect(doubt).toEqual(late)
      expect((await remove(recorder, left)).doubt).toEqual([])
      expect(await held(mock), `${allowed.join()}: write ${nth}`).toEqual(asItWas)
      expect(await sharedAddresses(mock)).toEqual([])
      expect(strangersIn(mutations, left)).toEqual([])
      left.close()
    }
  })
})

test('Where the list is too long to look for what was lost, nothing more is written, and it is said.', async () => {
  const mock = mockOf({ counts: { ...small.counts, segments: 200 } })
  const plain = plainTarget(mock)
  const unordered: Target = {
    ...plain,
    send: (request, options) =>
      JSON.stringify(request.variables ?? {}).includes('order_by')
        ? Promise.resolve({ status: 200, retries: 0, ms: 0, body: { errors: [{ message: 'No such filter.' }] } })
        : plain.send(request, options),
  }
  const { recorder, mutations } = recording(struck(unordered, 1, faults['its answer is lost']))
  const report = await runWriting({ target: recorder, mock, recoverPages: 1 })
  expect(mutations).toHaveLength(1)
  expect(report.exitCode).toBe(2)
  const last = report.results.at(-1)
  expect(last?.outcome).toBe('error')
  expect(last?.sentence).toContain(
    'Something of segments with the mark cm-abcdef-1 may have been made; the list is too long to look for it.',
  )
  expect(report.results.find(({ id }) => id === 'create-store')?.sentence).toMatch(/^Nothing more is written: /)
})

const updating = 'mutation M($node: InputUpdateAccount!) { updateAccount(node: $node) { id } }'

/** A target at which somebody else writes right after its nth write. */
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

test.each(pixelLists)('A pixel that somebody adds to %s stays, whenever it is added, and ours goes.', async (list) => {
  const plain = await pixelsOf(plainTarget(mockOf(small)))
  const atMost = await writesOf(['pixels'])
  for (let nth = 1; nth <= atMost; nth += 1) {
    const mock = mockOf(small)
    const target = shared(plainTarget(mock), nth, (it) => ({ [list]: [...(it[list] ?? []), theirs] }))
    const { exitCode } = await runWriting({ target, mock, allowed: ['pixels'] })
    expect(exitCode).toBe(0)
    expect(await pixelsOf(plainTarget(mock))).toEqual({ ...plain, [list]: [...(plain[list] ?? []), theirs] })
  }
})

test('A pixel of ours that somebody has taken out, or changed, is not touched; the changed one is named.', async () => {
  const mock = mockOf(small)
  const emptied = shared(plainTarget(mock), 4, (it) => ({
    snapchat_pixels: [theirs],
    tiktok_pixels: it['tiktok_pixels']?.map((row) => ({ ...row, value: 'of the agency' })),
  }))
  const { results, exitCode } = await runWriting({ target: emptied, mock, allowed: ['pixels'] })
  const lists = await pixelsOf(plainTarget(mock))
  expect(exitCode).toBe(2)
  expect(results.at(-1)?.sentence).toMatch(
    /tiktok_pixels holds with the mark cm-abcdef-3 what this run did not add so, which stays: \[\{"label":"cm-abcdef-3 .*","value":"of the agency"\}\]\. Take it out by hand/,
  )
  expect(lists['snapchat_pixels']).toEqual([theirs])
  expect(lists['tiktok_pixels']?.at(-1)).toMatchObject({ value: 'of the agency' })
  expect(JSON.stringify(lists['facebook_pixels'])).not.toContain('cm-abcdef')
})

describe('What the ledger lists by its id is taken away by that id alone', () => {
  /** A run that died with a segment made, and what somebody did since. */
  async function left(since: (target: Target, id: string, name: string) => Promise<unknown>) {
    const mock = mockOf(small)
    const target = plainTarget(mock)
    const name = 'Guests cm-abcdef-1'
    const { body } = await target.send({ query: `mutation { createSegment(node: { name: "${name}" }) { id } }` })
    const { id } = (body.data as { createSegment: { id: string } }).createSegment
    const ledger = ledgerInMemory()
    const [entry] = ledger.intend([{ kind: 'segments', key: 'cm-abcdef-1' }])
    ledger.record(entry?.n as number, 'made', id)
    await since(target, id, name)
    const before = await held(mock)
    const { recorder, mutations } = recording(target)
    const { doubt } = await remove(recorder, ledger)
    return { id, doubt: doubt.join(' '), mutations, before, after: await held(mock) }
  }
  const copy = (target: Target, name: string) =>
    target.send({ query: `mutation { createSegment(node: { name: "Copy of ${name}" }) { id } }` })
  const strange = /seg_\S+ of segments bears the mark cm-abcdef-1 and is not what this run was answered/

  test('and a copy stays, where it was renamed', async () => {
    const { id, doubt, mutations, before, after } = await left(async (target, own, name) => {
      await copy(target, name)
      await target.send({ query: `mutation { updateSegment(id: "${own}", node: { name: "Adopted" }) { id } }` })
    })
    expect([mutations, after]).toEqual([[], before])
    expect(doubt).toContain(`${id} of segments does not bear the mark cm-abcdef-1 and is not touched`)
    expect(doubt).toMatch(strange)
  })

  test('and a copy stays, where it was deleted', async () => {
    const { doubt, mutations, before, after } = await left(async (target, own, name) => {
      await copy(target, name)
      await target.send({ query: `mutation { deleteSegments(items: ["${own}"]) }` })
    })
    expect([mutations, after]).toEqual([[], before])
    expect(doubt).toMatch(strange)
  })

  test('and a copy stays, and is named, where it is there', async () => {
    const { id, doubt, mutations } = await left((target, _, name) => copy(target, name))
    expect(mutations.map(({ variables }) => variables)).toEqual([{ items: [id] }])
    expect(doubt).toMatch(strange)
  })
})

test('What a gateway had made twice is named, and not touched.', async () => {
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
  const extra = (await held(mock)).filter((it) => !asItWas.includes(it)).map((it) => /"id":"([^"]+)"/.exec(it)?.[1])
  expect(extra.filter((it) => it?.startsWith('seg'))).not.toEqual([])
  expect(extra.filter((it) => it?.startsWith('int'))).not.toEqual([])
  // Two customers stay by themselves.
  expect(results.at(-1)?.sentence?.match(/of customers bears the mark/g)).toHaveLength(2)
  for (const id of extra) expect(results.at(-1)?.sentence).toMatch(new RegExp(`${id} of \\w+ bears the mark`))
  // A create that makes two is a broken promise besides.
  expect(exitCode).toBe(1)
})

test('What is not seen may be late: its ledger stays until it is looked for once more.', async () => {
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
  expect([first.undone, first.doubt.length, second.undone, second.doubt.length]).toEqual([0, 1, 1, 0])
  expect(await held(mock)).toEqual(asItWas)
})

test('What was reset since is told from what was taken away.', async () => {
  const { recorder, mutations } = recording(plainTarget(mockOf(small)))
  const ledger = ledgerInMemory()
  for (const [kind, id] of [
    ['pixels', 'tiktok_pixels'],
    ['segments', 'seg_gone'],
  ] as const) {
    const [entry] = ledger.intend([{ kind, key: `cm-abcdef-${id}`, keep: { list: id } }])
    ledger.record(entry?.n as number, 'made', id)
  }
  await remove(recorder, ledger)
  const { undone, already } = await remove(recorder, ledger)
  expect([undone, already, mutations]).toEqual([0, 2, []])
})

test('Where the mark of what is made is cut off, no more of it is made.', async () => {
  const mock = mockOf(small)
  const cutting = mutating({
    createSegment: sending((args) => ({ ...args, node: { ...(args['node'] as Data), name: 'Guests' } })),
  })(plainTarget(mock), shapes)
  const { recorder, mutations } = recording(cutting)
  const { results, exitCode } = await runWriting({ target: recorder, mock, allowed: ['segments'] })
  const made = mutations.filter(({ query }) => mutationsIn(query).some(({ name }) => name === 'createSegment'))
  expect(made).toHaveLength(1)
  expect(results.at(-1)?.sentence).toContain('with the mark cm-abcdef-1, which the server does not show there')
  expect(exitCode).not.toBe(0)
})

test.each(['deleteSegments', 'deleteStore', 'removeIntegration', 'updateAccount'])(
  'A %s of the cleaning up that is lost on its way is sent again.',
  async (name) => {
    const mock = mockOf(small)
    const plain = plainTarget(mock)
    const ledger = ledgerInMemory()
    const isIt = ({ query }: GraphqlRequest) => mutationsIn(query).some((it) => it.name === name)
    let lost = false
    const target: Target = {
      ...plain,
      async send(request, options) {
        if (isIt(request) && ledger.entries().some(({ state }) => state === 'undoing') && !lost) {
          lost = true
          throw new TargetError('The connection was cut.')
        }
        return plain.send(request, options)
      },
    }
    // An integration is there to be cleaned up only where its check does not run.
    const checks = writeChecks.filter(({ id }) => id !== 'remove-integration')
    const { results } = await runWriting({ target, mock, ledger, checks })
    expect([lost, results.at(-1)?.outcome]).toEqual([true, 'pass'])
    expect(await held(mock)).toEqual(asItWas)
  },
)

test('No e-mail address of anybody else is written.', async () => {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  await runWriting({ target: recorder, mock, allowed: ['customers'] })
  const { data } = await mock.execute({ query: '{ customers(query: "", first: 4) { edges { node { email } } } }' })
  const { edges } = (data as unknown as { customers: { edges: { node: { email: string } }[] } }).customers
  expect(edges).toHaveLength(4)
  for (const { node } of edges) expect(JSON.stringify(mutations)).not.toContain(node.email)
})

test.each([
  ['by the run itself', true, 3],
  ['by its ledger', false, 2],
])(
  'What is gone already does not keep the rest from being taken away, %s, where a server makes an error of it.',
  async (_, ownRun, taken) => {
    const mock = mockOf({ ...small, profile: { unknown_delete: 'error' } })
    const target = plainTarget(mock)
    const ledger = ledgerInMemory()
    const ids: string[] = []
    for (const mark of ['cm-abcdef-1', 'cm-abcdef-2', 'cm-abcdef-3']) {
      const query = `mutation { createSegment(node: { name: "Guests ${mark}" }) { id } }`
      const { body } = await target.send({ query })
      const { createSegment } = body.data as { createSegment: { id: string } }
      const { id } = createSegment
      const [entry] = ledger.intend([{ kind: 'segments', key: mark }])
      ledger.record(entry?.n as number, 'made', id)
      ids.push(id)
    }
    await target.send({ query: `mutation { deleteSegments(items: ["${ids[1]}"]) }` })
    const { undone, doubt } = await remove(target, ledger, ownRun)
    expect({ undone, doubt }).toEqual({ undone: taken, doubt: [] })
    expect(await held(mock)).toEqual(asItWas)
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

test.each(writable.map((kind) => [kind]))('Only what is allowed is written: %s', async (kind) => {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  await runWriting({ target: recorder, mock, allowed: [kind] })
  expect(namesOf(mutations)).toEqual(ofKind[kind])
})

test('As many pixels are added as is said before.', async () => {
  const mock = mockOf(small)
  const ledger = ledgerInMemory()
  await runWriting({ target: plainTarget(mock), mock, ledger, allowed: ['pixels'] })
  const { announcement, finish } = prepareWriting({ allowed: ['pixels'], shapes })
  const lines = await announcement(() => Promise.reject(new Error('Nothing is asked.')))
  finish()
  expect(lines.join('\n')).toContain(`pixels: ${ledger.entries().length} are added to the lists`)
})

test('Where nothing is allowed, nothing is written.', async () => {
  const mock = mockOf(small)
  const { recorder, mutations } = recording(plainTarget(mock))
  await runWriting({ target: recorder, mock, allowed: [] })
  expect(mutations).toEqual([])
})

test('An object that the ledger did not make is never changed, whoever asks for it.', async () => {
  const { recorder, mutations } = recording(plainTarget(mockOf(small)))
  const shared = new Map<string, unknown>()
  const writer = createWriter({
    ledger: ledgerInMemory(),
    kinds: writeKinds,
    others,
    writes: 'stores',
    state: nothingWritten(),
    context: {
      shared: (key: string, make: () => unknown) => shared.set(key, shared.get(key) ?? make()).get(key),
    } as never,
    call: () => recorder.send({ query: 'mutation M { deleteStore(items: ["store_x"]) { id } }' }),
    inputs: { advice: '', types: async () => new Map() },
    row: () => ({}),
    productUids: [],
    settleMs: 0,
  })
  await expect(writer.change({} as never, ['store_x'])).rejects.toThrow('store_x was not made by this run')
  await expect(writer.remove({} as never, ['store_x'])).rejects.toThrow('store_x was not made by this run')
  expect(mutations).toEqual([])
})

test('A server that answers a secret as an id gets it into no ledger.', async () => {
  const mock = mockOf(small)
  const plain = plainTarget(mock)
  const target: Target = {
    ...plain,
    redact: (text) => text.replaceAll('canary', '***'),
    async send(request, options) {
      if (!request.query.includes('createSegment')) return plain.send(request, options)
      const data = { createSegment: { __typename: 'Segment', id: 'canary-1', name: 'x' } }
      return { status: 200, retries: 0, ms: 0, body: { data } }
    },
  }
  const path = join(folder, 'secret.jsonl')
  const ledger = createLedger(path, { run: 'cm-abcdef', baseUrl: 'http://localhost/api/v2', by: 'check' })
  await runWriting({ target, mock, ledger, allowed: ['segments'] })
  ledger.close()
  expect(readFileSync(path, 'utf8')).not.toContain('canary')
  expect(await held(mock)).toEqual(asItWas)
})

test('What is made only after all looks is known to be in doubt, and taken away by the next one.', async () => {
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
  // Segments are made and taken away before and after it, so that what is read is known to be fresh.
  const { results } = await runWriting({ target: slow, mock, ledger, allowed: ['segments', 'stores'] })
  expect(results.at(-1)).toMatchObject({ id: 'leaves-no-trace', outcome: 'error' })
  expect(results.at(-1)?.sentence).toContain('may still be made: it is not seen, and no answer came')
  await late[0]?.()
  await remove(target, ledger)
  expect(await held(mock)).toEqual(asItWas)
})

test('One kind that cannot be read does not keep the others from being taken away, and is said.', async () => {
  const mock = mockOf(small)
  const target = plainTarget(mock)
  let broken = false
  const breaking: Target = {
    ...target,
    async send(request, options) {
      // What follows the pixels is the undoing.
      if (mutationsIn(request.query).some(({ name }) => name === 'updateAccount')) broken = true
      if (broken && request.query.includes('facebook_pixels') && !isWrite(request)) {
        throw new TargetError('The answer is no JSON.')
      }
      return target.send(request, options)
    },
  }
  const { results } = await runWriting({ target: breaking, mock, allowed: ['segments', 'stores', 'pixels'] })
  const left = (await held(mock)).filter((it) => !asItWas.includes(it))
  expect(left.map((it) => it.slice(0, 25))).toEqual(['{"__typename":"Account","'])
  expect(results.at(-1)?.sentence).toContain('with the mark cm-abcdef-5, may still be there: The answer is no JSON.')
})

test('A server whose reads never change: what it answered for a pixel is named, and not believed to be gone.', async () => {
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
  const left = (await held(mock)).filter((it) => !asItWas.includes(it))
  expect(JSON.stringify(left)).toContain('cm-abcdef-1')
  expect(results.at(-1)).toMatchObject({ id: 'leaves-no-trace', outcome: 'error' })
  expect(results.at(-1)?.sentence).toContain(
    'facebook_pixels was answered for something of pixels with the mark cm-abcdef-1',
  )
  // Where it is shown, it is taken out.
  await remove(target, ledger)
  expect(await held(mock)).toEqual(asItWas)
})

test('What is not taken out of a pixel list, though it is answered, is named.', async () => {
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
        retries: 0,
        ms: 0,
        body: { data: { updateAccount: { ...account, ...(request.variables?.['node'] as object) } } },
      }
    },
  }
  const { results } = await runWriting({ target: keeping, mock, allowed: ['pixels'] })
  expect(results.at(-1)).toMatchObject({ outcome: 'error' })
  expect(results.at(-1)?.sentence).toContain(
    'facebook_pixels of pixels, with the mark cm-abcdef-4, could not be taken away: the server still shows it.',
  )
})

describe('A server that refuses to answer', () => {
  const refused: Answer = { status: 200, body: { data: null, errors: [{ message: 'No.' }] }, retries: 0, ms: 0 }
  const unordered = ({ variables = {} }: GraphqlRequest) => JSON.stringify(variables).includes('order_by')
  /** A ledger of a segment that is there, at a server that refuses some requests. */
  async function madeAt(counts: Readonly<Record<string, number>>, refuses: (request: GraphqlRequest) => boolean) {
    const mock = mockOf({ counts: { ...small.counts, ...counts } })
    const plain = plainTarget(mock)
    const { body } = await plain.send({
      query: 'mutation { createSegment(node: { name: "Guests cm-abcdef-1" }) { id } }',
    })
    const { id } = (body.data as { createSegment: { id: string } }).createSegment
    const ledger = ledgerInMemory()
    const [entry] = ledger.intend([{ kind: 'segments', key: 'cm-abcdef-1' }])
    ledger.record(entry?.n as number, 'made', id)
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

  test('Where node refuses, the list says what is ours, and it is taken away.', async () => {
    const { target, ledger, there } = await madeAt({}, node)
    const { undone, doubt } = await remove(target.recorder, ledger)
    expect([undone, doubt, await there()]).toEqual([1, [], null])
  })

  test('Where node refuses and the list is too long, nothing is touched, and it is said.', async () => {
    const { target, ledger, id } = await madeAt({ segments: 200 }, (it) => node(it) || unordered(it))
    const traces = await removeTraces({
      target: target.recorder,
      ledger,
      kinds: writeKinds,
      others,
      shapes,
      expected: defaultProfile,
      settleMs: 0,
      recoverPages: 1,
    })
    expect(traces.doubt).toEqual([
      `${id} of segments, with the mark cm-abcdef-1, cannot be looked at, and is not touched. Look whether it was left behind.`,
    ])
    expect(target.mutations).toEqual([])
  })

  test('Where the list cannot be read, what is seen by node is taken away, and what is not there is gone at the second look.', async () => {
    const { target, ledger, there } = await madeAt({}, ({ query }) => query.includes('segments('))
    const [gone, lost] = ledger.intend(['2', '3'].map((it) => ({ kind: 'segments', key: `cm-abcdef-${it}` })))
    ledger.record(gone?.n as number, 'made', 'seg_gone')
    const { undone, doubt } = await remove(target.recorder, ledger)
    expect([undone, await there(), lost?.state]).toEqual([1, null, 'intended'])
    expect(doubt).toEqual([
      'seg_gone of segments, with the mark cm-abcdef-2, is not seen, and nothing shows that what is read is not of before. Give the server time, and look again with --remove.',
      'Something of segments with the mark cm-abcdef-3 may have been made; the list cannot be read: The server does not list segments: “No.”.',
    ])
    expect((await remove(target.recorder, ledger)).already).toBe(1)
  })

  test('Where node refuses and a delete is refused too, it is not believed to be gone.', async () => {
    const { target, ledger, id } = await madeAt({}, (it) => node(it) || isWrite(it))
    const { undone, doubt } = await remove(target.recorder, ledger, true)
    expect([undone, doubt]).toEqual([0, [`${id} of segments, with the mark cm-abcdef-1, could not be taken away: No.`]])
  })
})

test.each(['segments', 'integrations'])('What a server only says that it deletes, of %s, is named.', async (kind) => {
  const mock = mockOf(small)
  const plain = plainTarget(mock)
  const gone = new Set<unknown>()
  // Lists are without it, node is not.
  const lying: Target = {
    ...plain,
    async send(request, options) {
      const { variables = {} } = request
      const [name] = mutationsIn(request.query).map((it) => it.name)
      if (name === 'deleteSegments') {
        for (const id of variables['items'] as readonly string[]) gone.add(id)
        return { status: 200, retries: 0, ms: 0, body: { data: { deleteSegments: variables['items'] } } }
      }
      const asked =
        name === 'removeIntegration' ? { query: '{ removeIntegration: account { id integrations { id } } }' } : request
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
  const left = (await held(mock)).filter((it) => !asItWas.includes(it)).map((it) => /cm-abcdef-\d+/.exec(it)?.[0] ?? it)
  expect(left.length).toBeGreaterThan(0)
  for (const mark of left) expect(results.at(-1)?.sentence).toContain(`with the mark ${mark}, could not be taken away`)
})
