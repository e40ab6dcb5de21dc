/** The codes of findings are documented. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { percentiles } from '../src/contract/report.js'

const root = join(import.meta.dirname, '..')
const isSource = (path: string) => path.endsWith('.ts') && !/\.(?:test|testkit)\.ts$|mutants/.test(path)

test('docs/check.md lists each code that a rule gives, and no other.', () => {
  const files = ['contracts', 'src/contract'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(isSource)
      .map((it) => readFileSync(join(root, folder, it), 'utf8').replace(/^ \*.*$/gm, '')),
  )
  const given = /(?:\bcode: |\bjudge\(|\breport\(run, [^']*|readonly code: |dataLost = )((?:'[a-z0-9-]+'(?: \| )?)+)/g
  const codes = files.flatMap((text) =>
    [...text.matchAll(given)].flatMap(([, it = '']) => it.match(/[a-z0-9-]+/g) ?? []),
  )
  const section = /### Codes\n(.*?)\n## /s.exec(readFileSync(join(root, 'docs/check.md'), 'utf8'))?.[1] ?? ''
  const documented = [...section.matchAll(/^\| `([a-z0-9-]+)` /gm)].map(([, code]) => code)
  const slow = percentiles.map((it) => `slow-${it}`)
  expect(documented.toSorted()).toEqual([...new Set([...codes, ...slow])].toSorted())
})
