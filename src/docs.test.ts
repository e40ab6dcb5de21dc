/** The TypeScript blocks of README and docs: they compile under `strict` against the built package, and run. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { blocks, guide } from './docs.testkit.js'
import { usersFolder } from './helpers/users-folder.testkit.js'

const run = promisify(execFile)
const modules = join(import.meta.dirname, '../node_modules')
const packages = ['graphql-request', 'vitest', '@playwright/test', '@types'].map(
  (it) => [it, join(modules, it)] as const,
)
const folder = usersFolder(Object.fromEntries(packages))

/** What the blocks print, in order, except for lines that say "such as". */
const promised = [...guide.matchAll(/console\.log\(.*\) \/\/ (?!such as)(.*)$/gm)].map(([, text]) => text)

async function ran(command: string, ...args: string[]): Promise<string> {
  const options = { cwd: folder.path, env: { ...process.env, STAGING_URL: undefined } }
  const { stdout, stderr } = await run(process.execPath, [join(modules, command), ...args], options).catch(
    (error: { stdout: string; stderr: string }) => {
      throw new Error(error.stdout + error.stderr)
    },
  )
  return stdout + stderr
}

beforeAll(() => {
  for (const { name, code, isTest, isSpec } of blocks) {
    folder.write(`${name}.ts`, code)
    if (isTest || isSpec) continue
    const wrapped = `import { test } from 'vitest'\ntest('${name}', async () => void (await import('./${name}.js')))\n`
    folder.write(`${name}.test.ts`, wrapped)
  }
})

afterAll(() => folder[Symbol.dispose]())

test('the blocks compile under strict', async () => {
  const options = '--noEmit --strict --module nodenext --target es2022 --lib es2023,dom,esnext.disposable --types node'
  const files = blocks.map(({ name }) => `${name}.ts`)
  expect(files.length).toBeGreaterThan(5)
  expect(await ran('typescript/bin/tsc', ...options.split(' '), ...files)).toBe('')
})

// Without isolation the package is imported once.
const quick = ['--no-isolate', '--maxWorkers=1', '--testTimeout=60000']

test('the blocks run, and print what their comments say', async () => {
  const output = await ran('vitest/vitest.mjs', 'run', '--root', folder.path, ...quick, '--exclude=*.spec.ts')
  for (const text of promised) expect(output).toContain(text)
})

test('the end-to-end test of README has at most 15 lines; playwright.test.ts runs it', () => {
  const { code = '' } = blocks.find(({ name }) => name === 'customers.spec') ?? {}
  expect(code).toContain('commerce-mock/playwright')
  expect(code.trim().split('\n').length).toBeLessThanOrEqual(15)
})
