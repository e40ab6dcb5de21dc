/** Every line of docs/ui-states.md, as a small front end shows it in a real browser. Set UI_STATES to keep the pictures. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium, type BrowserContext, type Page } from '@playwright/test'
import { expect, test } from 'vitest'
import { commands } from '../commands/commands.js'
import { chromiumOptions } from '../commands/needs.testkit.js'
import { createProgram } from '../commands/program.js'
import { serve } from '../commands/serve/index.js'
import { readSettings } from '../commands/settings.js'
import { createMock } from '../mock/create-mock.js'
import { packageFolder } from '../shared/package.js'
import { shopPage } from './shop-page.testkit.js'

const rows = [
  ...readFileSync(join(packageFolder(), 'docs/ui-states.md'), 'utf8').matchAll(/^\| (.+?) +\| `(.+)` +\|$/gm),
]
const lines = new Map(rows.map(([, state = '', line = '']) => [state, line]))

/** A running mock, and headers that requests of the page are to have. */
interface Started {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  readonly close: () => Promise<void>
}

async function served(words: string): Promise<Started> {
  let settings = {}
  const program = createProgram({
    write: () => {},
    onCall: async (command, flags) =>
      void (settings = readSettings(command, { flags, env: {}, config: undefined }, commands)),
  })
  await program.parseAsync(words.split(' '), { from: 'user' })
  const { output, close } = await serve({ ...settings, port: 0 }, { env: {}, onWarning: () => {}, onLog: () => {} })
  return { url: /^ *API +(\S+)$/m.exec(output)?.[1] ?? '', close }
}

async function listening(mock: ReturnType<typeof createMock>): Promise<Started> {
  return { url: (await mock.listen({ port: 0 })).url, close: () => mock.close() }
}

/** Does what a line says. */
async function start(line: string): Promise<Started> {
  if (line.startsWith('npx commerce-mock ')) return served(line.replace('npx commerce-mock ', ''))
  if (line.startsWith('createMock(')) {
    // oxlint-disable-next-line typescript/no-implied-eval -- the line is our own
    return listening(new Function('createMock', `return ${line}`)(createMock) as ReturnType<typeof createMock>)
  }
  if (line.startsWith('mock.')) {
    const mock = createMock()
    // oxlint-disable-next-line typescript/no-implied-eval
    new Function('mock', line)(mock)
    return listening(mock)
  }
  const started = await served('serve')
  const [name = '', value] = line.split(': ')
  if (!line.startsWith('curl ')) return { ...started, headers: { [name]: value ?? '' } }
  const command = line.replaceAll('http://localhost:4000', new URL(started.url).origin)
  const { stdout } = await promisify(execFile)('sh', ['-c', command])
  expect(stdout).not.toContain('"errors"')
  return started
}

type Step = (page: Page) => Promise<unknown>

/** What the init script leaves in the page: every text that it showed. */
interface Seen {
  readonly seen: readonly string[]
}

const sees =
  (pattern: RegExp): Step =>
  async (page) => {
    const found = page.waitForFunction((it) => new RegExp(it, 's').test(document.body.innerText), pattern.source)
    await found.catch(async () => expect(await page.innerText('body')).toMatch(pattern))
  }
/** Was seen at some time: on a busy machine, a state of half a second is over before it is asked for. */
const saw =
  (pattern: RegExp): Step =>
  (page) =>
    page.waitForFunction(
      (it) => (window as unknown as Seen).seen.some((text) => new RegExp(it).test(text)),
      pattern.source,
    )
const click =
  (name: string): Step =>
  (page) =>
    page.getByRole('button', { name }).click()
/** Clicks "More" so many times, in the page: Playwright takes a third of a second for each click. */
const more =
  (times: number): Step =>
  (page) =>
    page.evaluate(async (clicks) => {
      const status = document.querySelector('[role=status]')
      for (let at = 0; at < clicks; at++) {
        document.querySelector<HTMLButtonElement>('#more')?.click()
        // oxlint-disable-next-line no-unmodified-loop-condition -- the page modifies it
        while (status?.textContent === 'Loading…') await new Promise((resolve) => setTimeout(resolve, 5))
      }
    }, times)
const picturesFail: Step = (page) => page.waitForFunction(() => document.querySelectorAll('li .initials').length === 5)
const reload: Step = (page) => page.reload()

/** What a user does and sees in each state. */
const expected: Readonly<Record<string, readonly Step[]>> = {
  Loading: [sees(/Customers\s+Loading…/)],
  'Every answer takes a while': [saw(/Loading…/), sees(/5 customers/)],
  'Empty list': [sees(/No customers yet\. Create the first one\./)],
  'First record': [sees(/1 customer.*Ada Lovelace, a few seconds ago, 0 USD/)],
  'Error page': [sees(/We are down for maintenance\. Try again in 30 seconds\./)],
  'One request fails': [sees(/We are down for maintenance\. Try again in 30 seconds\./)],
  'Partial data': [sees(/Some values could not be loaded\..*5 customers.*, unknown/)],
  'Form error': [sees(/5 customers/), click('Rename'), sees(/The name is taken already\. Use another\./)],
  'Session expired': [sees(/5 customers/), more(3), sees(/Your session has expired\. Sign in again\./)],
  'Rate limited': [sees(/5 customers/), more(5), sees(/Too many requests\. Try again in \d+ seconds\./)],
  Offline: [sees(/You are offline\. Check your connection\./)],
  'No answer at all': [sees(/Loading…/)],
  'Pictures missing': [sees(/5 customers/), picturesFail],
  'Endless list': [sees(/5 customers/), more(20), sees(/100 customers.*More/)],
  'One record on two pages': [sees(/5 customers/), more(1), sees(/10 customers, 1 of them twice/)],
  'A page that is no longer there': [sees(/5 customers/), more(1), sees(/Something went wrong\. Try again\./)],
  'Nothing can be saved': [sees(/5 customers/), click('Rename'), sees(/Not saved\. We are down for maintenance\./)],
  'An optimistic update fails once': [
    sees(/5 customers/),
    click('Rename'),
    sees(/Not saved\. Something went wrong\..*5 customers/),
    click('Rename'),
    sees(/Saved\..*Grace/),
  ],
  'Saved, but the answer is lost': [
    sees(/5 customers/),
    click('Rename'),
    sees(/Not saved\. Something went wrong\./),
    reload,
    sees(/5 customers\s+Grace/),
  ],
  'A customer was created just now': [sees(/5 customers\s+Ada Lovelace, a few seconds ago/)],
  'A customer was created long ago': [sees(/1 customer.*Ada Lovelace, 3 years ago/)],
  'A VIP ordered yesterday': [sees(/5 customers\s+Ada Lovelace, a day ago, 1480\.5 USD/)],
  'Long and unusual names': [sees(/5 customers/), more(3), sees(/Пётр Ёлкин.*<script>alert/)],
}

/** The dev server of the front end: another origin, on this machine. */
async function devServer() {
  const server = createServer(({ url = '' }, response) => {
    const api = new URL(url, 'http://localhost').searchParams.get('api')
    response.setHeader('content-type', 'text/html; charset=utf-8')
    response.end(api === null ? '' : shopPage(api))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  return {
    pageOf: (api: string) => `http://127.0.0.1:${port}/?api=${encodeURIComponent(api)}`,
    end: () => server.close(),
  }
}

interface Seeing {
  readonly browser: BrowserContext
  readonly pageOf: (api: string) => string
  /** Keeps a picture of each state. */
  readonly folder: string | undefined
}

async function look(state: string, line: string, { browser, pageOf, folder }: Seeing): Promise<void> {
  const { url, headers = {}, close } = await start(line)
  const page = await browser.newPage()
  try {
    page.setDefaultTimeout(5_000)
    await page.addInitScript((it) => Object.assign(window, { headers: it }), headers)
    await page.addInitScript(() => {
      const seen: string[] = []
      Object.assign(window, { seen })
      const note = () => void seen.push(document.body?.innerText ?? '')
      new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true })
    })
    await page.goto(pageOf(url), { waitUntil: 'commit' })
    for (const step of expected[state] ?? []) await step(page)
    const picture = `${state.toLowerCase().replaceAll(/\W+/g, '-')}.png`
    if (folder !== undefined) await page.screenshot({ path: join(folder, picture) })
  } finally {
    await page.close()
    await close()
  }
}

test('A front end shows each state, from its line.', async (context) => {
  expect([...lines.keys()]).toEqual(Object.keys(expected))
  const folder = process.env['UI_STATES']
  if (folder !== undefined) mkdirSync(folder, { recursive: true })
  const started = await chromium.launch(chromiumOptions(context))
  const browser = await started.newContext({ viewport: { width: 620, height: 520 } })
  const { pageOf, end } = await devServer()
  try {
    const problems: string[] = []
    const waiting = [...lines]
    const work = async () => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [state, line] = next
        await look(state, line, { browser, pageOf, folder }).catch((error: Error) =>
          problems.push(`${state}: ${error.message}`),
        )
      }
    }
    // Several at once, because many states are seen by waiting.
    await Promise.all([work(), work(), work()])
    expect(problems).toEqual([])
  } finally {
    await started.close()
    end()
  }
}, 120_000)
