/** `commerce-mock/browser` in a real browser, bundled as Vite does it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { chromium } from '@playwright/test'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { chromiumOptions } from '../commands/needs.testkit.js'
import { createMock } from '../mock/create-mock.js'
import { packageFolder } from '../shared/package.js'
import { usersFolder } from './users-folder.testkit.js'

const query = '{ customers(query: "", first: 3) { edges { node { id full_name created_at avatar } } } }'

const script = `
  import { createMock } from 'commerce-mock/browser'
  import { GraphQLSchema } from 'graphql'
  window.run = async () => {
    const mock = createMock({ world: 'small-shop', freeze: true })
    const { data } = await mock.execute({ query: ${JSON.stringify(query)} })
    const sent = (init) => mock.fetch('/api/v2', { method: 'POST', headers: { 'content-type': 'application/json' }, ...init })
    const created = await sent({ body: JSON.stringify({ query: 'mutation { createSegment(node: { name: "Zoë" }) { name } }' }) })
    const alice = mock.session('alice')
    alice.clock.advance('3h')
    const errors = ['./world.json', 'small-shopp', { customers: [{}] }, { locale: 'de' }].map((world) => {
      try { createMock({ world }) } catch (error) { return error.message }
    })
    return {
      data,
      created: await created.json(),
      status: (await sent({ body: new Uint8Array([255]) })).status,
      control: await (await mock.fetch('/_mock/clock', { headers: { 'x-mock-session': 'alice' } })).json(),
      guarded: (await createMock({ token: 'secret' }).fetch('/_mock/clock', { headers: { authorization: 'Bearer secret' } })).status,
      page: (await mock.fetch('/api/v2', { headers: { accept: 'text/html' } })).status,
      isSchema: mock.schema instanceof GraphQLSchema,
      forked: mock.fork().list('Segment').length,
      methods: [mock, mock.fork()].map((it) => 'listen' in it),
      errors,
      scenario: createMock({ scenario: 'first-customer' }).list('Customer').map((it) => it.full_name),
      faults: createMock({ faults: 'down' }).faults.list(),
    }
  }`

test('It answers queries, mutations and fetch in a page, with the records of Node.', async (context) => {
  const options = chromiumOptions(context)
  using folder = usersFolder()
  const build = await rolldown({
    input: folder.write('page.js', script),
    platform: 'browser',
    cwd: folder.path,
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'iife' })
  const browser = await chromium.launch(options)
  try {
    const page = await browser.newPage()
    const complaints: string[] = []
    page.on('pageerror', (error) => complaints.push(error.message))
    page.on('console', (message) => complaints.push(message.text()))
    await page.route('**', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>x</title>' }),
    )
    await page.goto('http://shop.test/')
    await page.addScriptTag({ content: output[0].code })
    const result = await page.evaluate('window.run()')
    const mock = createMock({ world: 'small-shop', freeze: true })
    expect(result).toStrictEqual({
      data: (await mock.execute({ query })).data,
      created: { data: { createSegment: { name: 'Zoë' } } },
      status: 400,
      control: { now: '2026-11-27T15:00:00.000Z', frozen: true },
      guarded: 200,
      page: 200,
      isSchema: true,
      forked: mock.list('Segment').length + 1,
      methods: [false, false],
      errors: [
        'There are no files in a browser. Import ./world.json and give its content.',
        'There is no ready world "small-shopp". Did you mean small-shop? Give a file as a path, such as ./world.json; over HTTP, give its content.',
        expect.stringMatching(/^customers\[0\]\.email: /),
        'The tables of locales are files, and a page has none. Remove `locale` from the world.',
      ],
      scenario: ['Ada Lovelace'],
      faults: createMock({ faults: 'down' }).faults.list(),
    })
    expect(complaints).toEqual([])
  } finally {
    await browser.close()
  }
})

test('Its file is small, and loads graphql only.', () => {
  const code = readFileSync(join(packageFolder(), 'dist/browser/index.js'), 'utf8')
  expect(gzipSync(code, { level: 9 }).length).toBeLessThan(312_000)
  expect(
    [...code.matchAll(/(?:^|[;}])import[^;]*?from"([^"]+)"|\b(?:import|require)\(["'`]([^"'`]+)/g)].map(
      ([, from, called]) => from ?? called,
    ),
  ).toEqual(['graphql'])
})
