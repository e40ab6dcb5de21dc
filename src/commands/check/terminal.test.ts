/** What a user sees who watches a run: the binary on a pseudo terminal of `script`. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { promisify } from 'node:util'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { serveHttp } from '../../client/bad-server.testkit.js'
import { createMock } from '../../mock/create-mock.js'
import { bodyOf } from '../body.testkit.js'
import { cliFile, inheritedEnv } from '../cli.testkit.js'
import { need } from '../needs.testkit.js'

const script = '/usr/bin/script'
const columns = 60

test('On a terminal: a live line that fits, what fails at once, then the report; without colors under NO_COLOR.', async (context) => {
  const found = process.platform === 'linux' && existsSync(script) ? script : undefined
  const command = need(context, found, `no ${script} of util-linux, which makes a pseudo terminal.`)
  const mock = createMock({ freeze: true })
  await using server = await serveHttp(async (request, response) => {
    const body = await bodyOf(request)
    await wait(60)
    const answer = await mock.fetch('http://localhost/api/v2', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    const text = (await answer.text()).replaceAll('"expenses":', '"costs":')
    response.writeHead(200, { 'content-type': 'application/json' }).end(text)
  })
  const check = `"${process.execPath}" "${cliFile}" check --concurrency 1 --base-url ${server.baseUrl.href} --only`
  const words = `stty cols ${columns}; ${check} customers-shape,segments-shape; echo NEXT; NO_COLOR=1 ${check} customers-shape`
  const env = { ...inheritedEnv(), TERM: 'xterm', SHELL: '/bin/sh' }
  const { stdout } = await promisify(execFile)(command, ['-qc', words, '/dev/null'], { env })

  const [first = '', plain = ''] = stdout.replaceAll('\r\n', '\n').replaceAll('\x1b', '␛').split('NEXT\n')
  const frames = first.match(/^\[[^\r\n]*|(?<=\r␛\[K)\[[^\r\n]*/gm) ?? []
  expect(frames.length).toBeGreaterThan(1)
  for (const it of frames) expect(it).toMatch(/^\[#*\.*\] \d of 3 checks/)
  expect(Math.max(...frames.map((it) => it.length))).toBeLessThan(columns)
  const [live = '', report = ''] = first.split(`${server.baseUrl.href}\n`)
  for (const it of [live, report]) expect(it.match(/^.*␛\[31mFAIL .*customers-shape/gm)).toHaveLength(1)
  expect(report).toMatch(/1 promise is broken: [^\n]*\n$/)
  expect(plain).toMatch(/^FAIL [^␛]*1 promise is broken: customers-shape\.\n$/m)
})
