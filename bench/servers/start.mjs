/** `npm start`: measures and prints. `-- --quick` does less of everything, in under a minute. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

function build() {
  if (existsSync(join(root, 'dist/src/cli.js'))) return
  if (!existsSync(join(root, 'node_modules')))
    throw new Error('What is measured is not built. Run `npm ci && npm run build` in the folder above first.')
  const { status } = spawnSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'inherit' })
  if (status !== 0) throw new Error('The build of what is measured failed.')
}

const quick = process.argv.includes('--quick')
const say = (line) => process.stderr.write(`${line}\n`)
const print = (text) => process.stdout.write(`${text}\n\n`)

build()
const { against, customers } = await import('./against.mjs')
const { pinning } = await import('./process.mjs')
const { writeRecords } = await import('./records.mjs')

const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-bench-'))
process.on('exit', () => rmSync(folder, { recursive: true }))

async function measureAll() {
  const records = join(folder, 'records.json')
  const { customers: rows } = await writeRecords(records, customers)
  const world = { customers: String(customers), records, ids: rows.map((it) => it.id) }
  say(pinning)
  const amounts = quick ? { rounds: 3, requests: 1000 } : { rounds: 5, requests: 4000 }
  for (const text of await against({ world, ...amounts, say })) print(text)
}

measureAll().catch((error) => {
  say(error.message)
  process.exit(1)
})
