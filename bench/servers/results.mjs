/** The tables of the last whole run, in the README of the bench. */
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { pinning } from './process.mjs'

const readme = new URL('../README.md', import.meta.url)
const [begin, end] = ['<!-- results: npm start writes here -->', '<!-- end of results -->']

export function writeResults(tables) {
  const text = readFileSync(readme, 'utf8')
  const [before, rest] = text.split(begin)
  const after = rest?.split(end)[1]
  if (after === undefined) throw new Error(`README.md of the bench has no place for results: ${begin} … ${end}.`)
  const machine = `${new Date().toISOString().slice(0, 10)}, Node ${process.versions.node}, ${cpus().length} cores (${cpus()[0].model.trim()}), ${pinning}.`
  writeFileSync(readme, `${before}${[begin, machine, ...tables, end].join('\n\n')}${after}`)
}
