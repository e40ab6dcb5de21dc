/** Kills a run of `check --write` at its nth mutation, and cleans up by its ledger. */
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { canary } from '../../client/bad-targets.testkit.js'
import { bodyOf } from '../body.testkit.js'
import { runCli } from '../cli.testkit.js'
import { readHar } from './har.testkit.js'
import { runInProcess } from '../in-process.testkit.js'
import { dump, sendOf } from '../../mock/dump.testkit.js'
import { deepEqual } from '../../shared/json.js'
import { createMock, type Mock } from '../../mock/create-mock.js'

/** What the account holds, without what a run may leave: customers, statistics, and the time of the last change. */
async function held(mock: Mock): Promise<readonly string[]> {
  const lines = await dump(sendOf(mock))
  return lines
    .split('\n')
    .filter((line) => !/"full_name":"[^"]*\bcm-[a-z0-9]{6}-\d+\b/.test(line))
    .map((line) =>
      line.startsWith('{"__typename":"Account"') ? line.replace(/"updated_at(_exact)?":"[^"]*",?/g, '') : line,
    )
    .map((line) => line.replace(/"statistics":\d+/g, ''))
}

const isMutation = ({ request }: { readonly request: { readonly postData?: { readonly text: string } | undefined } }) =>
  request.postData?.text.includes('mutation ') === true

const answerDelayMs = 25

export type Moment = 'before the response' | 'after the response'

const born = createMock({ freeze: true, counts: { customers: 30, segments: 12 } })

/** Kills a run at its nth mutation, cleans up, and returns what remains. */
export async function killedAndCleaned(n: number, moment: Moment) {
  const mock = born.fork()
  const before = await held(mock)
  const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-kill-'))
  let mutations = 0
  let kill = () => {}
  const server = createServer(async (request, response) => {
    const body = await bodyOf(request)
    const writes = body.includes('"query":"mutation') || body.includes('mutation ')
    if (writes) mutations += 1
    const strikes = writes && mutations === n
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    const answer = await mock.fetch('http://localhost/api/v2', init)
    const text = await answer.text()
    if (writes) await new Promise((resolve) => setTimeout(resolve, answerDelayMs))
    if (strikes && moment === 'before the response') kill()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(text)
    if (strikes && moment === 'after the response') kill()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2`
  const words = [
    'check',
    '--base-url',
    baseUrl,
    '--only',
    'create-*,update-*,delete-*,remove-*,mutations-*,observe-same-*,segments-walk-while-written',
  ]
  try {
    const { code } = await runCli([...words, '--write', 'all', '--exchanges', 'run.har'], {
      cwd: folder,
      env: { COMMERCE_MOCK_TOKEN: canary },
      meanwhile: (child) => (kill = () => child.kill('SIGKILL')),
    })
    // Several mutations are under way at once.
    expect(readHar(join(folder, 'run.har')).filter(isMutation).length).toBeGreaterThanOrEqual(n - 8)
    expect(readFileSync(join(folder, 'run.har'), 'utf8')).not.toContain(canary)
    const ledgers = existsSync(join(folder, '.commerce-mock'))
      ? readdirSync(join(folder, '.commerce-mock')).filter((it) => it.endsWith('.jsonl'))
      : []
    const removed = []
    for (const it of ledgers) {
      expect(readFileSync(join(folder, '.commerce-mock', it), 'utf8')).not.toContain(canary)
      const remove = () =>
        runInProcess(['check', 'cleanup', join(folder, '.commerce-mock', it), '--consistency-timeout', '100ms'])
      const ran = await remove()
      // The first cleanup cannot tell a stale read from an object that is gone; the second one can.
      const { code: last, stdout, stderr } = /Run the cleanup again/.test(ran.stdout) ? await remove() : ran
      removed.push([last, stdout, stderr])
    }
    return { code, endedEarly: mutations < n, removed, isAsBefore: deepEqual(before, await held(mock)) }
  } finally {
    server.closeAllConnections()
    server.close()
    rmSync(folder, { recursive: true })
  }
}

/** The account is as it was before the run. */
export const clean = {
  code: null,
  endedEarly: false,
  removed: [[0, expect.stringMatching(/^(?:Deleted \d+ of the objects|Nothing that )/), '']],
  isAsBefore: true,
}
