/** `npm start`: measures and prints. `-- --quick` does less of everything, in under a minute; `-- NAME` does a part. */
import { against } from './against.mjs'
import { compareFirstPages } from './first-pages.mjs'
import { compareForks } from './forks.mjs'
import { compareJournal } from './journal.mjs'
import { compareStarts } from './fresh.mjs'
import { pinning } from './process.mjs'
import { writeResults } from './results.mjs'
import { compareSizes } from './sizes.mjs'
import { compareStates } from './states.mjs'

const parts = {
  against,
  starts: compareStarts,
  'first-pages': compareFirstPages,
  sizes: compareSizes,
  forks: compareForks,
  states: compareStates,
  journal: compareJournal,
}

const given = process.argv.slice(2)
const quick = given.includes('--quick')
const names = given.filter((it) => it !== '--quick')
const amounts = quick
  ? { warmUp: 1500, rounds: 3, slices: 2, requests: 250, starts: 2 }
  : { warmUp: 8000, rounds: 5, slices: 4, requests: 1000, starts: 11 }

const say = (line) => process.stderr.write(`${line}\n`)

async function measureAll() {
  const unknown = names.find((name) => !Object.hasOwn(parts, name))
  if (unknown) throw new Error(`There is no part ${unknown}. The parts: ${Object.keys(parts).join(', ')}.`)
  const chosen = names.length > 0 ? names : quick ? ['against', 'starts'] : Object.keys(parts)
  say(`Pinned: ${pinning}.`)
  const tables = []
  for (const name of chosen) tables.push(...(await parts[name](amounts, say)))
  process.stdout.write(`${tables.join('\n\n')}\n`)
  if (!quick && names.length === 0) writeResults(tables)
}

measureAll().then(
  () => process.exit(),
  (error) => {
    say(error.message)
    process.exit(1)
  },
)
