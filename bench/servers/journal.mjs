/** What the journal of requests costs. */
import { cases } from './cases.mjs'
import { compareOptions } from './options.mjs'
import { table } from './tables.mjs'

const measured = cases.filter(({ name }) => ['list', 'node', 'update'].includes(name))

export async function compareJournal(amounts, say) {
  const flags = [['--limit', 'requests=0'], []]
  const rows = await compareOptions({ flags, measured, customers: 10_000, digits: 3 }, amounts, say)
  return [table(['CPU µs a request', 'without a journal', 'with ÷ without'], rows)]
}
