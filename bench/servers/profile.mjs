/** `npm run profile`: where the time of a request goes inside the server, by whose code ran. `-- CASE RIVAL` for others. */
import { once } from 'node:events'
import { asking } from './answers.mjs'
import { bodiesOf, cases, lookAround } from './cases.mjs'
import { startLoad } from './measure.mjs'
import { startServer } from './process.mjs'
import { worldOf } from './records.mjs'
import { ours, rivals } from './rivals.mjs'
import { table } from './tables.mjs'

const inFolder = (part) => (url) => url.includes(part)

/** The first that holds takes the file. */
const groups = [
  ['JSON', inFolder('bench/servers/profile-hook')],
  ['node: sockets, HTTP, streams', inFolder('node:')],
  ['graphql-js', inFolder('node_modules/graphql/')],
  ['compiled queries', (url) => /graphql-jit|src\/server\/graphql\/(compiled|generated)/.test(url)],
  ['Yoga', (url) => /graphql-yoga|@envelop|@whatwg-node|@graphql-tools\/executor/.test(url)],
  ['@graphql-tools', inFolder('node_modules/@graphql-tools')],
  ['fastify, mercurius', inFolder('bench/node_modules/')],
  ['front door and engine (src/server)', inFolder('dist/src/server/')],
  ['resolvers (mocks)', inFolder('dist/mocks/')],
  ['world (src/world)', inFolder('dist/src/world/')],
  ['the hand-written server', inFolder('bench/servers/')],
  ['other packages', inFolder('node_modules/')],
]

/** What is no function of anybody. */
const special = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'system calls and the machine',
  '(root)': 'system calls and the machine',
  '(idle)': undefined,
  // The inspector itself.
  dispatch: undefined,
}

/** The group of each node. What has no file – built-in functions, generated code – belongs to whoever called it. */
function groupsOf(nodes) {
  const callers = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node])))
  function groupOf(node) {
    const { functionName, url } = node.callFrame
    if (!url && Object.hasOwn(special, functionName)) return special[functionName]
    if (url) return groups.find(([, holds]) => holds(url))?.[0] ?? 'others'
    return groupOf(callers.get(node.id))
  }
  return new Map(nodes.map((node) => [node.id, groupOf(node)]))
}

/** Microseconds of self time by a name that nodes have. Those without one are left out. */
function sums({ samples, timeDeltas }, names) {
  const byName = new Map()
  for (const [i, id] of samples.entries()) {
    const name = names.get(id)
    if (name) byName.set(name, (byName.get(name) ?? 0) + timeDeltas[i])
  }
  return [...byName].sort((a, b) => b[1] - a[1])
}

function functionsOf(nodes) {
  const groupOf = groupsOf(nodes)
  const counted = nodes.filter(({ id }) => groupOf.get(id))
  return new Map(
    counted.map(({ id, callFrame: { functionName, url, lineNumber } }) => {
      const place = url && `${url.split('/').slice(-3).join('/')}:${lineNumber + 1}`
      return [id, `${functionName || '(anonymous)'} ${place}`.trim()]
    }),
  )
}

const [caseName = 'list', rivalName = 'ours'] = process.argv.slice(2).filter((it) => !it.startsWith('--'))
const count = process.argv.includes('--quick') ? 4000 : 20_000

async function profile() {
  const it = cases.find(({ name }) => name === caseName)
  const rival = [ours, ...rivals].find(({ name }) => name === rivalName)
  if (!it || !rival) throw new Error(`There is no case ${caseName} or no server ${rivalName}.`)
  const customers = 10_000
  const hook = new URL('profile-hook.mjs', import.meta.url).href
  // Ours as it is before it is put into a few files: there, code has lost its folders.
  const own = rival.args(await worldOf(customers)).map((it) => it.replace(/dist\/cli\/cli.js$/, 'dist/src/cli.js'))
  const args = ['--import', hook, ...own]
  const server = await startServer(args, { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
  const tell = async (name) => {
    server.child.send(name)
    const [message] = await once(server.child, 'message')
    return message[name]
  }
  const load = startLoad()
  const around = await lookAround(asking(server.port), customers)
  await load.measure(server, { bodies: bodiesOf(it, around, 0, count / 2) })
  await tell('start')
  const { cpu } = await load.measure(server, { bodies: bodiesOf(it, around, count / 2, count) })
  print(`${it.title}, ${rival.title}: ${cpu.toFixed(1)} µs of CPU time a request while recorded`, await tell('stop'))
}

function print(title, recorded) {
  const rows = sums(recorded, groupsOf(recorded.nodes))
  const all = rows.reduce((sum, [, time]) => sum + time, 0)
  const shown = ([name, time]) => [name, (time / count).toFixed(1), ((100 * time) / all).toFixed(1)]
  const functions = sums(recorded, functionsOf(recorded.nodes)).slice(0, 25)
  const tables = [
    table(['whose code', 'µs a request', '%'], rows.map(shown)),
    table(['function', 'µs a request', '%'], functions.map(shown)),
  ]
  process.stdout.write(`${[title, ...tables].join('\n\n')}\n`)
}

profile().then(
  () => process.exit(),
  (error) => {
    process.stderr.write(`${error.message}\n`)
    process.exit(1)
  },
)
