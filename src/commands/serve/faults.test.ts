/** `serve --faults`, `--delay` and `--scenario` as a user runs them: the real binary, with a file that an editor changes. */
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, vi } from 'vitest'
import { startBinary } from '../binary.testkit.js'
import { createMock } from '../../mock/create-mock.js'
import { runInProcess } from '../in-process.testkit.js'
import { watchFaults } from './faults.js'
import { serve } from './index.js'
import type { ServeOptions } from './options.js'

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-serve-faults-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = join(folder, 'faults.yaml')

async function ask(url: string, headers: Record<string, string> = {}) {
  const begin = performance.now()
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{"query": "{ account { id } }"}',
  })
  return { status, ms: performance.now() - begin }
}

test('An edit of the file is live at once; a mistake keeps the old faults and says where it is.', async () => {
  writeFileSync(path, '- status: 503\n')
  await using mock = await startBinary(['--faults', path, '--delay', '20-40', '--scenario', 'on-a-train'])
  const shown = async () => {
    const { faults } = (await (await fetch(`${mock.origin}/_mock/faults`)).json()) as { faults: object[] }
    return faults
  }
  expect(await shown()).toMatchObject([{ delay: [20, 40] }, { status: 503 }, { name: 'slow' }, { name: 'tunnel' }])
  const becomes = (status: number) =>
    vi.waitFor(async () => expect((await shown())[1]).toEqual({ status }), { timeout: 10_000, interval: 20 })

  // As vim does.
  writeFileSync(`${path}~`, '# edited\n- status: 500\n')
  renameSync(`${path}~`, path)
  await becomes(500)
  expect(await shown()).toHaveLength(4)

  const wrong = '- status: 500\n- status: 20\n- { eror: {}, status: 500 }\n'
  writeFileSync(path, wrong)
  await vi.waitFor(() => expect(mock.output()).toContain('faults.yaml:3'), { timeout: 10_000, interval: 20 })
  expect(mock.output()).toContain('commerce-mock: Faults not changed. The file has mistakes:')
  expect(mock.output()).toMatch(/faults\.yaml:2 \[1\]\.status: must be 400 to 599\./)
  expect(mock.output()).toMatch(/faults\.yaml:3 \[2\]\.eror: is unknown\. Did you mean error\?/)
  writeFileSync(path, '- { null: Customer.expences }\n')
  await vi.waitFor(() => expect(mock.output()).toContain('Customer.expences'), { timeout: 10_000, interval: 20 })
  expect(mock.output()).toMatch(
    /faults\.yaml:1 \[0\]\.null: There is no field Customer\.expences\. Did you mean expenses\?/,
  )
  expect((await shown())[1]).toEqual({ status: 500 })

  rmSync(path)
  writeFileSync(path, '- status: 502\n')
  await becomes(502)
  expect(mock.output()).toContain('faults.yaml was read again: 2 faults.')
  expect(await ask(mock.url)).toMatchObject({ status: 502 })
  writeFileSync(path, '# - status: 502\n')
  await vi.waitFor(async () => expect(await shown()).toHaveLength(3), { timeout: 10_000, interval: 20 })
  expect(await mock.stop()).toBe(0)
})

test('An edit right after the start is taken.', async () => {
  writeFileSync(path, '- status: 503\n')
  await using mock = createMock({ faults: path })
  writeFileSync(path, '- status: 504\n')
  const warnings: string[] = []
  const end = watchFaults({ mock, onWarning: (line) => warnings.push(line) })
  try {
    await vi.waitFor(() => expect(mock.faults.list()).toEqual([{ status: 504 }]), { timeout: 2000, interval: 10 })
    expect(warnings).toEqual([expect.stringMatching(/faults\.yaml was read again: 1 fault\.$/)])
  } finally {
    end()
  }
})

test('An edit replaces the faults of the file only, whatever else happens to the session or the folder.', async () => {
  const own = mkdtempSync(join(tmpdir(), 'commerce-mock-watched-'))
  const path = join(own, 'faults.yaml')
  writeFileSync(path, '- status: 503\n')
  await using mock = createMock({ faults: path, scenario: 'on-a-train' })
  const warnings: string[] = []
  const end = watchFaults({ mock, onWarning: (line) => warnings.push(line) })
  try {
    const become = (...faults: object[]) =>
      vi.waitFor(() => expect(mock.faults.list()).toMatchObject(faults), { timeout: 5000, interval: 10 })
    await become({ status: 503 }, { name: 'slow' }, { name: 'tunnel' })
    mock.reset({ scenario: 'checkout-down' })
    writeFileSync(path, '- status: 500\n- delay: 1\n')
    await become({ status: 500 }, { delay: 1 }, { name: 'checkout-down' })

    // A mistake breaks nothing else.
    writeFileSync(path, '- status: 5\n')
    await vi.waitFor(() => expect(warnings).toHaveLength(2), { timeout: 5000, interval: 10 })
    expect(warnings[0]).toMatch(/faults\.yaml was read again: 2 faults\.$/)
    expect(warnings[1]).toMatch(
      /^Faults not changed\. The file has mistakes:\n.*faults\.yaml:1 \[0\]\.status: must be 400/,
    )
    const init = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const body = JSON.stringify({ name: 'alice', scenario: 'on-a-train' })
    expect(await mock.fetch('/_mock/sessions', { ...init, body })).toHaveProperty('status', 200)
    expect(mock.session('alice').faults.list()).toMatchObject([{ status: 500 }, { delay: 1 }, { name: 'slow' }, {}])

    mock.faults.set([{ delay: 2 }])
    writeFileSync(path, '# no other fault\n- status: 502\n')
    await become({ status: 502 }, { delay: 2 })
    expect(mock.session('alice').faults.list()).toHaveLength(4)

    // As a checkout does.
    rmSync(own, { recursive: true })
    mkdirSync(own)
    for (const status of [507, 508]) {
      writeFileSync(path, `- status: ${status}\n`)
      await become({ status }, { delay: 2 })
    }
  } finally {
    end()
    rmSync(own, { recursive: true })
  }
})

test('The banner names scenario, faults, delay, the folder of the state, and a clock that a scenario stopped.', async () => {
  const banner = async (options: ServeOptions) => {
    const { output, close } = await serve({ ...options, port: 0 }, { env: {}, onWarning: () => {}, onLog: () => {} })
    await close()
    return output
  }
  const text = await banner({ scenario: 'first-customer', faults: 'flaky', delay: [100, 900] })
  expect(text).toMatch(/^ {2}Clock +stopped at 2026-11-27T12:00:00\.000Z$/m)
  expect(text).toMatch(/^ {2}Scenario +first-customer$/m)
  expect(text).toMatch(/^ {2}Faults +flaky$/m)
  expect(text).toMatch(/^ {2}Delay +100 to 900 ms$/m)
  expect(await banner({})).not.toMatch(/Scenario|Faults|Delay|State/)
  const state = join(folder, 'state')
  expect(await banner({ state })).toContain(`\n  State      ${state}\n`)
})

test('A delay is in milliseconds, a duration or a range, and names are those of ready-made faults.', async () => {
  await using mock = await startBinary(['--delay', '150', '--scenarios', folder])
  expect((await ask(mock.url)).ms).toBeGreaterThan(145)
  expect(await ask(mock.url, { 'x-mock-fault': 'down' })).toMatchObject({ status: 503 })
  expect(await ask(mock.url, { 'x-mock-fault': 'dwn' })).toMatchObject({ status: 400 })
  writeFileSync(join(folder, 'ours.yaml'), 'world: empty-shop\nfaults: down\n')
  const created = await fetch(`${mock.origin}/_mock/sessions`, {
    method: 'POST',
    body: '{"name":"alice","scenario":"ours"}',
    headers: { 'content-type': 'application/json' },
  })
  expect(created.status).toBe(200)
  expect(await ask(mock.url, { 'x-mock-session': 'alice' })).toMatchObject({ status: 503 })
})

test.each([
  [['--delay', 'soon'], '--delay takes milliseconds or a range such as 300, 2s or 100-900, not "soon".'],
  [['--delay', '900-100'], '--delay takes milliseconds or a range'],
  [['--delay=-5'], '--delay takes milliseconds or a range'],
  [['--faults', 'slow-4g'], 'There is no ready fault "slow-4g". Did you mean slow-3g?'],
  [['--scenario', 'empty-accont'], 'There is no ready scenario "empty-accont". Did you mean empty-account?'],
  [['--scenario', 'empty-account', '--scenarios', join(folder, 'none')], 'with scenario files does not exist.'],
])('serve %j: %s', async (words, message) => {
  const { code, stderr } = await runInProcess(['serve', '--port', '0', ...words])
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)])
})

test.each([
  ['300', 300],
  ['2s', 2000],
  ['100-900', [100, 900]],
  ['0.5s-2s', [500, 2000]],
  ['0', 0],
])('--delay %s is read.', async (text, delay) => {
  const { serveCommand } = await import('./options.js')
  const { readSettings } = await import('../settings.js')
  expect(readSettings(serveCommand, { flags: { delay: text }, env: {}, config: undefined })).toEqual({ delay })
})
