/** How fast `seed` is compared with a bare undici loop of the same concurrency that sends the same documents. */
import { fork } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { request } from 'undici'
import { median, say, serve, start } from './serving.mjs'

const customers = 10_000
const rounds = Number(process.argv[2] ?? 5)
const plan = ['--customers', String(customers), '--segments', '0', '--stores', '0']
const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-bench-'))
const server = await serve(['--customers', '0', '--segments', '0', '--stores', '0', '--integrations', '0'])
const reset = () =>
  request(server.url.replace('/api/v2', '/_mock/reset'), { method: 'POST' }).then((it) => it.body.dump())

let runs = 0
/** Milliseconds from the report of the run, without the start of the process. */
async function seed(url) {
  const [ledger, report] = ['jsonl', 'json'].map((it) => join(folder, `${(runs += 1)}.${it}`))
  const words = ['seed', '--base-url', url, ...plan, '--ledger', ledger, '--report', `json=${report}`]
  const { code, stderr } = await start(words).ended
  if (code !== 0) throw new Error(`seed ended with ${code}: ${stderr}`)
  return JSON.parse(readFileSync(report, 'utf8')).ms
}

/** The creations that seed sends, each with the update that follows it, if any. */
async function recorded() {
  const creations = new Map()
  const recorder = createServer(async (incoming, outgoing) => {
    const body = await text(incoming)
    const answer = await request(server.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body,
    })
    const answered = await answer.body.text()
    const { operationName, variables } = JSON.parse(body)
    if (operationName === 'CreateCustomer') creations.set(JSON.parse(answered).data.createCustomer.id, { create: body })
    if (operationName === 'UpdateCustomer') creations.get(variables.id).update = body
    outgoing.writeHead(answer.statusCode, { 'content-type': 'application/json' }).end(answered)
  })
  await new Promise((resolve) => recorder.listen(0, '127.0.0.1', resolve))
  await seed(`http://127.0.0.1:${recorder.address().port}/api/v2`)
  recorder.closeAllConnections()
  recorder.close()
  return [...creations.values()]
}

const path = join(folder, 'documents.json')
const documents = await recorded()
writeFileSync(path, JSON.stringify(documents))
const updates = documents.filter(({ update }) => update).length

const bare = () =>
  new Promise((resolve, reject) => {
    const loop = fork(fileURLToPath(new URL('bare-loop.mjs', import.meta.url)), [server.url, path, '8'])
    loop.once('message', resolve)
    loop.once('exit', (code) => code !== 0 && reject(new Error(`The bare loop ended with ${code}.`)))
  })

const times = { seed: [], bare: [] }
for (let round = 0; round < rounds; round += 1) {
  await reset()
  times.seed.push(await seed(server.url))
  await reset()
  times.bare.push(await bare())
}
await server.stop()
rmSync(folder, { recursive: true })

const rate = (ms) => Math.round((customers / ms) * 1000)
const [ours, theirs] = [median(times.seed), median(times.bare)]
say(`${customers} customers (${updates} of them with an update), concurrency 8, ${rounds} rounds each, medians:`)
say(`seed       ${rate(ours)} customers a second`)
say(`bare loop  ${rate(theirs)} customers a second`)
say(`seed / bare loop: ${(theirs / ours).toFixed(2)} (target: at least 0.50)`)
