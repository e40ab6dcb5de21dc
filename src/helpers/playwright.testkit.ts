/** Runs a small suite of a user with the runner of Playwright, on the browser of this machine. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestContext } from 'vitest'
import { blocks } from '../docs.testkit.js'
import { chromiumOptions } from '../commands/needs.testkit.js'
import { packageFolder } from '../shared/package.js'
import { shopPage } from './shop-page.testkit.js'
import { usersFolder, type UsersFolder } from './users-folder.testkit.js'

const run = promisify(execFile)

const spec = `
import { readFileSync } from 'node:fs'
import { expect, test } from 'commerce-mock/playwright'

test.beforeEach(({ context }) =>
  context.route('https://shop.example/', (route) => route.fulfill({ contentType: 'text/html', path: 'page.html' })))

for (let n = 0; n < Number(process.env.TESTS); n++) {
  test('a world of its own ' + n, async ({ page, mock }) => {
    const name = 'Ada Lovelace-' + n
    const before = await mock.clock.now()
    const { id } = await mock.create('Customer', { full_name: name })
    await mock.clock.advance('3h')
    await page.goto('https://shop.example/')
    await expect(page.locator('li').first()).toContainText(name + ', 3 hours ago')
    await expect.poll(() => page.locator('img').first().evaluate((it) => it.naturalWidth)).toBeGreaterThan(0)
    expect(await mock.clock.now()).toBe(before + 3 * 3_600_000)

    const saved = await mock.snapshot('before')
    await mock.set('Customer', id, { first_name: 'Grace', expenses: 12 })
    await page.reload()
    await expect(page.locator('li').first()).toContainText('Grace Lovelace-' + n + ', 3 hours ago')
    await mock.restore(saved)
    await page.reload()
    await expect(page.locator('li').first()).toContainText(name + ', 3 hours ago')

    const clicks = 1 + (n % 3)
    for (let at = 1; at <= clicks; at++) {
      const answered = page.waitForResponse('**/api/v2')
      await page.getByRole('button', { name: 'Create' }).click()
      await answered
    }
    const made = (await mock.list('Segment')).filter((it) => it.name === 'Clicked')
    expect(made).toHaveLength(clicks)
    await mock.rewind({ last: 1 })
    expect((await mock.list('Segment')).filter((it) => it.name === 'Clicked')).toHaveLength(clicks - 1)
    const { data } = await mock.execute({ query: '{ customers(query: "", first: 500) { edges { node { full_name } } } }' })
    expect(data.customers.edges.filter(({ node }) => node.full_name.startsWith('Ada Lovelace-'))).toHaveLength(1)
    // Requests that nobody waits for must not fail the test.
    if (n % 2) await page.evaluate('void show()')
  })
}

test('requests of the page', async ({ page, mock }) => {
  await page.goto('https://shop.example/')
  const created = mock.requests.next({ kind: 'mutation' }, { timeout: 60_000 })
  await page.getByRole('button', { name: 'Create' }).click()
  expect(await created).toMatchObject({ fields: ['createSegment'], outcome: 'data' })
  await page.evaluate("void setTimeout(() => send('query Later { account { id } }'), 200)")
  await expect(mock).toHaveReceived('Later', { kind: 'query', variables: expect.any(Object) })
  await expect(mock).not.toHaveReceived('Never')
  await page.evaluate("void setTimeout(() => send('query Later { account { id } }'), 200)")
  await expect(mock).toHaveReceived('Later', { times: 2 })
  await expect(expect(mock).toHaveReceived('Latter', {}, { timeout: 1 })).rejects.toThrow('Did you mean Later?')
  await expect(expect(mock).not.toHaveReceived('Later')).rejects.toThrow('not to receive Later')
})

test.describe('another world', () => {
  test.use({ mockWorld: { world: 'empty-shop', now: '2027-01-01' } })
  test('is only for these tests', async ({ mock }) => {
    expect(await mock.list('Customer')).toEqual([])
    const saved = await mock.snapshot()
    const { id } = await mock.create('Segment', { name: 'Regulars' })
    expect(await mock.get('Segment', id)).toMatchObject({ name: 'Regulars' })
    await mock.remove('Segment', id)
    await mock.reset({ world: 'small-shop' })
    expect(await mock.list('Customer')).not.toEqual([])
    await mock.restore(saved)
    expect(await mock.list('Customer')).toEqual([])
    expect(await mock.clock.now()).toBe(Date.parse('2027-01-01'))
    await mock.reset({ scenario: 'first-customer' })
    expect(await mock.list('Customer')).toHaveLength(1)
    await expect(mock.get('Customer', 'nobody')).rejects.toThrow('There is no Customer with the id "nobody".')
  })
})

test.describe('a scenario', () => {
  test.use({ mockScenario: 'empty-account' })
  test('is the state of the page', async ({ page, mock }) => {
    await page.goto('https://shop.example/')
    await expect(page.getByRole('status')).toHaveText('No customers yet. Create the first one.')
    await mock.faults.set([{ status: 503, retryAfter: 30 }])
    await page.reload()
    await expect(page.getByRole('alert')).toHaveText('We are down for maintenance. Try again in 30 seconds.')
  })
})
`

const specOfRunningServer = `
const { expect, test } = require('commerce-mock/playwright')

test.use({ mockUrl: process.env.RUNNING_SERVER })
test('A server that runs already', async ({ page, mock }) => {
  await page.route('https://shop.example/', (route) => route.fulfill({ contentType: 'text/html', path: 'page.html' }))
  const { id } = await mock.create('Customer', { full_name: 'Ada Lovelace' })
  await page.goto('https://shop.example/')
  await expect(page.locator('li').first()).toContainText('Ada Lovelace')
  await mock.snapshot('before')
  await mock.remove('Customer', id)
})
`

export interface PlaywrightRun {
  readonly workers: number
  /** How many tests of one kind there are, besides the others. */
  readonly tests: number
  /** The base URL of a server that runs already. */
  readonly url: string
}

/** The folder of a user with the suite, and with the configuration and the tests of README and docs. */
export function playwrightFolder(context: TestContext): UsersFolder {
  const launchOptions = chromiumOptions(context)
  const modules = join(packageFolder(), 'node_modules')
  const folder = usersFolder({ '@playwright/test': join(modules, '@playwright/test') })
  folder.write('package.json', '{ "type": "module" }')
  folder.write('page.html', shopPage('https://api.shop.example/api/v2'))
  folder.write('shop.spec.js', spec)
  folder.write('running.spec.cjs', specOfRunningServer)
  const ofDocs = blocks.filter(({ name, isSpec }) => isSpec || name === 'playwright.config')
  for (const { name, code } of ofDocs) folder.write(`${name}.ts`, code)
  // Long, because 16 browsers on two cores are slow, which is no flake.
  const times = { timeout: 180_000, expect: { timeout: 60_000 } }
  const config = { ...times, fullyParallel: true, retries: 0, use: { launchOptions } }
  folder.write(
    'here.config.ts',
    `import own from './playwright.config'\nexport default { ...own, ...${JSON.stringify(config)} }`,
  )
  return folder
}

interface PlaywrightReport {
  readonly stats: { readonly expected: number; readonly unexpected: number; readonly flaky: number }
}

/** The totals of a run, and the messages of what failed. */
export async function runPlaywright(folder: UsersFolder, { workers, tests, url }: PlaywrightRun): Promise<string> {
  const cli = join(packageFolder(), 'node_modules/@playwright/test/cli.js')
  const env = { ...process.env, TESTS: `${tests}`, RUNNING_SERVER: url, CI: '1', NODE_OPTIONS: '' }
  const args = [cli, 'test', '-c', 'here.config.ts', `--workers=${workers}`, '--reporter=json']
  const options = { cwd: folder.path, env, maxBuffer: 2 ** 26 }
  const { stdout } = await run(process.execPath, args, options).catch((error: { stdout: string }) => error)
  const { expected, unexpected, flaky } = (JSON.parse(stdout) as PlaywrightReport).stats
  const messages = [...stdout.matchAll(/^ *"message": (".*")/gm)].map(([, text = '']) => JSON.parse(text) as string)
  return [`${expected} passed, ${unexpected} failed, ${flaky} flaky.`, ...messages].join('\n')
}
