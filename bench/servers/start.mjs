/** `npm start`: measures and prints. `-- --quick` does less of everything, in under a minute. */
import { against } from './against.mjs'
import { pinning } from './process.mjs'
import { withWorld } from './records.mjs'

const quick = process.argv.includes('--quick')
const say = (line) => process.stderr.write(`${line}\n`)
const print = (text) => process.stdout.write(`${text}\n\n`)

async function measureAll() {
  say(pinning)
  const amounts = quick ? { rounds: 3, requests: 1000 } : { rounds: 5, requests: 4000 }
  await withWorld(10_000, async (world) => {
    for (const text of await against({ world, ...amounts, say })) print(text)
  })
}

measureAll().then(
  () => process.exit(),
  (error) => {
    say(error.message)
    process.exit(1)
  },
)
