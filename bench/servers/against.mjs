/** Ours against the rivals: warm servers with 10 000 customers, case by case, in alternating rounds. */
import { asking, compareAnswers } from './answers.mjs'
import { bodiesOf, cases, lookAround } from './cases.mjs'
import { median, medians, startLoad, turned } from './measure.mjs'
import { startServer } from './process.mjs'
import { worldOf } from './records.mjs'
import { ours, rivals } from './rivals.mjs'
import { table } from './tables.mjs'

const customers = 10_000

async function startRival(rival, world) {
  const server = await startServer(rival.args(world))
  const ask = asking(server.port)
  const around = rival.answersNothing ? world.around : await lookAround(ask, customers)
  return { ...rival, ...server, ask, around }
}

async function startAll() {
  const world = await worldOf(customers)
  const own = await startRival(ours, world)
  const { around } = own
  const sizes = await sizesOf(own)
  const others = []
  for (const rival of rivals) others.push(await startRival(rival, { ...world, around, sizes }))
  for (const it of [own, ...others]) it.memoryAtStart = it.memory()
  return [own, ...others]
}

/** How many bytes ours answers, by the name of the operation. What writes answers a customer, as node(id) does. */
async function sizesOf({ ask, around }) {
  const sizes = {}
  for (const { operation, writes, body } of cases) {
    if (writes) sizes[operation.name] = sizes.Customer
    else sizes[operation.name] = Buffer.byteLength(JSON.stringify(await ask(body(around, 0))))
  }
  return sizes
}

async function compareAll([own, ...others]) {
  const answering = others.filter((it) => !it.answersNothing)
  // One that only reads is compared before anything is written.
  for (const writes of [false, true]) {
    for (const rival of answering) {
      const both = cases.filter((it) => Boolean(it.writes) === writes && rival.takes(it))
      await compareAnswers(both, own, rival)
    }
  }
}

/** Each round is cut into slices, so that what else the machine does meets all servers alike. */
async function measureCase(it, servers, load, { warmUp, rounds, slices, requests }) {
  const runs = servers.filter((server) => server.takes(it)).map((server) => ({ server, sent: 0, rounds: [] }))
  async function send(run, count = requests) {
    const { around, share } = run.server
    const bodies = bodiesOf(it, around, run.sent, Math.ceil(count * share))
    run.sent += bodies.length
    return load.measure(run.server, { bodies })
  }
  for (const run of runs) await send(run, it.writes ? warmUp / 2 : warmUp)
  for (let round = 0; round < rounds; round++) {
    for (const run of runs) run.rounds.push([])
    for (let slice = 0; slice < slices; slice++) {
      for (const run of turned(runs, slice + round)) run.rounds[round].push(await send(run))
    }
  }
  return { case: it, runs }
}

const clients = 100
/** So many that the first request of each client, which waits until node has accepted all those before it, is one of many. */
const turns = 5

async function measureCrowd(servers, load, { requests, slices }) {
  const crowd = []
  for (const server of servers) {
    const bodies = bodiesOf(cases[0], server.around, 0, turns * requests * slices)
    crowd.push({ server, ...(await load.measure(server, { bodies, clients })) })
  }
  return crowd
}

export async function against(amounts, say) {
  const servers = await startAll()
  await compareAll(servers)
  say('The answers of all servers are the same.')
  const load = startLoad()
  const results = []
  for (const it of cases) {
    results.push(await measureCase(it, servers, load, amounts))
    say(`Measured: ${it.title}`)
  }
  const crowd = await measureCrowd(servers.slice(0, 2), load, amounts)
  load.stop()
  const tables = [ratios(results), details(results), ofCrowd(crowd), ofMemory(servers)]
  await Promise.all(servers.map((server) => server.stop()))
  return tables
}

const cpuOf = (slices) => slices.reduce((sum, { cpu }) => sum + cpu, 0) / slices.length

/** The rival's CPU time a request divided by ours of the same round, median of the rounds. */
const ratioOf = (run, own) => median(run.rounds.map((slices, round) => cpuOf(slices) / cpuOf(own.rounds[round])))

const digits = (number) => number.toFixed(number < 10 ? 2 : number < 100 ? 1 : 0)

function ratios(results) {
  const rows = results.map(({ case: { title }, runs }) => {
    const [own] = runs
    const cells = rivals.map(({ name }) => runs.find(({ server }) => server.name === name))
    return [title, ...cells.map((run) => (run ? digits(ratioOf(run, own)) : ''))]
  })
  return table(['CPU time a request ÷ ours', ...rivals.map(({ title }) => title)], rows)
}

function details(results) {
  const rows = results.flatMap(({ case: { title }, runs }) =>
    runs.map(({ server, rounds }) => {
      const { perSecond, p50, p99 } = medians(rounds.flat())
      const cpu = median(rounds.map(cpuOf))
      return [title, server.title, perSecond.toFixed(0), digits(p50), digits(p99), digits(cpu)]
    }),
  )
  return table(['case', 'server', 'requests/s', 'p50 ms', 'p99 ms', 'CPU µs a request'], rows)
}

function ofCrowd(crowd) {
  const rows = crowd.map(({ server: { title }, perSecond, p50, p99 }) => {
    return [title, perSecond.toFixed(0), digits(p50), digits(p99), digits(p99 / p50)]
  })
  return table([`${clients} clients at once`, 'requests/s', 'p50 ms', 'p99 ms', 'p99 ÷ p50'], rows)
}

const ofMemory = (servers) =>
  table(
    ['resident memory', 'MiB before', 'MiB after all of it'],
    servers.map(({ title, memoryAtStart, memory }) => [title, memoryAtStart.toFixed(0), memory().toFixed(0)]),
  )
