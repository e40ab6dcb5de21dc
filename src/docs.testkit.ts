/** The TypeScript blocks of README and docs. A block is a file if its first line is a comment with a name. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageFolder } from './shared/package.js'

const pages = ['README.md', ...readdirSync(join(packageFolder(), 'docs')).map((it) => `docs/${it}`)].filter((it) =>
  it.endsWith('.md'),
)
export const guide = pages.map((it) => readFileSync(join(packageFolder(), it), 'utf8')).join('\n')
export const blocks = [...guide.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, code = ''], at) => {
  const name = /^\/\/ ([\w.]+)\.ts\n/.exec(code)?.[1] ?? `block-${at + 1}`
  return { name, code, isTest: name.endsWith('.test'), isSpec: name.endsWith('.spec') }
})
