/** `commerce-mock/msw` with MSW itself, in Node and in a real browser. */
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { rolldown } from 'rolldown'
import { expect, test } from 'vitest'
import { chromiumOptions, mswFolder } from '../commands/needs.testkit.js'
import { packageFolder } from '../shared/package.js'
import { usersFolder } from './users-folder.testkit.js'

const run = promisify(execFile)

/** What a client does, in Node and in a page. */
const calls = `
const send = async (query, url = 'https://api.shop.example/graphql') =>
  (await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ query }) })).json()
const calls = async (mock) => {
  const { id } = mock.create('Segment', { name: 'Zoë' })
  const { data } = await send('{ customers(query: "", first: 1) { edges { node { avatar } } } }')
  const avatar = await fetch('https:' + data.customers.edges[0].node.avatar)
  return {
    created: (await send('{ node(id: "' + id + '") { ... on Segment { name } } }')).data.node.name,
    deleted: (await send('mutation { deleteSegments(items: ["' + id + '"]) }')).data.deleteSegments !== undefined,
    segments: mock.list('Segment').some((it) => it.id === id),
    avatar: [avatar.status, avatar.headers.get('content-type'), new URL(avatar.url).host],
    hint: await (await fetch('https://api.shop.example/graphql')).json(),
  }
}
`

const expected = {
  created: 'Zoë',
  deleted: true,
  segments: false,
  avatar: [200, 'image/svg+xml', 'api.shop.example'],
  hint: { status: 'ok', hint: expect.any(String) as string },
}

const inNode = `
const mock = createMock({ world: 'small-shop', freeze: true })
const server = setupServer(...mockHandlers(mock.session('a'), 'https://api.shop.example/graphql'))
server.listen({ onUnhandledRequest: 'error' })
calls(mock.session('a')).then((seen) => console.log(JSON.stringify(seen)))
`

const scripts = {
  mjs: `import { setupServer } from 'msw/node'
    import { createMock } from 'commerce-mock'
    import { mockHandlers } from 'commerce-mock/msw'`,
  cjs: `const { setupServer } = require('msw/node')
    const { createMock } = require('commerce-mock')
    const { mockHandlers } = require('commerce-mock/msw')`,
}

test.for(Object.entries(scripts))(
  'In Node, as %s, clients reach the mock at any URL.',
  async ([format, imports], context) => {
    using folder = usersFolder({ msw: mswFolder(context) })
    const script = folder.write(`script.${format}`, imports + calls + inNode)
    const { stdout } = await run(process.execPath, [script])
    expect(JSON.parse(stdout)).toEqual(expected)
  },
)

const inPage = `
import { setupWorker } from 'msw/browser'
import { createMock } from 'commerce-mock/browser'
import { mockHandlers } from 'commerce-mock/msw'
${calls}
window.run = async () => {
  const mock = createMock({ world: 'small-shop', freeze: true })
  await setupWorker(...mockHandlers(mock, 'https://api.shop.example/graphql')).start({ quiet: true, onUnhandledRequest: 'error' })
  return calls(mock)
}`

test('Its types fit those of MSW.', async (context) => {
  using folder = usersFolder({ msw: mswFolder(context) })
  const file = folder.write(
    'types.ts',
    `import { createMock } from 'commerce-mock'
    import { createMock as createInPage } from 'commerce-mock/browser'
    import { mockHandlers } from 'commerce-mock/msw'
    import { setupServer } from 'msw/node'
    setupServer(...mockHandlers(createMock()), ...mockHandlers(createInPage().session('a'), 'https://x.example/api'))
    // @ts-expect-error
    mockHandlers({})
    // @ts-expect-error
    createInPage().listen()`,
  )
  const options = '--noEmit --strict --skipLibCheck --module nodenext --lib es2023,dom,dom.iterable,esnext.disposable'
  const tsc = join(packageFolder(), 'node_modules/typescript/bin/tsc')
  const args = [tsc, ...options.split(' '), '--types', '', file]
  const { stdout } = await run(process.execPath, args, { cwd: folder.path }).catch((error: { stdout: string }) => error)
  expect(stdout).toBe('')
})

test('In a browser, a page reaches the mock through the service worker.', async (context) => {
  const msw = mswFolder(context)
  const options = chromiumOptions(context)
  using folder = usersFolder({ msw })
  const build = await rolldown({
    input: folder.write('page.js', inPage),
    platform: 'browser',
    cwd: folder.path,
    logLevel: 'silent',
  })
  const { output } = await build.generate({ format: 'iife' })
  const files: Readonly<Record<string, readonly [type: string, text: string]>> = {
    '/': ['text/html', '<!doctype html><title>Shop</title>'],
    '/mockServiceWorker.js': ['text/javascript', readFileSync(join(msw, 'lib/mockServiceWorker.js'), 'utf8')],
  }
  const server = createServer(({ url = '' }, response) => {
    const [type, text] = files[url] ?? ['text/plain', '']
    response.writeHead(files[url] ? 200 : 404, { 'content-type': type }).end(text)
  }).listen(0)
  await once(server, 'listening')
  const browser = await chromium.launch(options)
  try {
    const page = await browser.newPage()
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`)
    await page.addScriptTag({ content: output[0].code })
    expect(await page.evaluate('window.run()')).toEqual(expected)
  } finally {
    await browser.close()
    server.close()
    server.closeAllConnections()
  }
})
