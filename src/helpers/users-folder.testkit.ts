/** A folder in which the built package is installed, with the packages that a user has. */
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { packageFolder } from '../shared/package.js'

export interface UsersFolder extends Disposable {
  readonly path: string
  write(name: string, text: string): string
}

/** A copy, because a link would find its packages in this project. */
export function usersFolder(packages: Readonly<Record<string, string>> = {}): UsersFolder {
  const path = mkdtempSync(join(tmpdir(), 'commerce-mock-user-'))
  const project = packageFolder()
  const own = join(path, 'node_modules/commerce-mock')
  for (const name of [
    'package.json',
    'schema.graphql',
    'fixtures/faults',
    'fixtures/scenarios',
    'fixtures/worlds',
    'dist/esm',
    'dist/cjs',
    'dist/browser',
    'dist/locales',
  ]) {
    cpSync(join(project, name), join(own, name), { recursive: true })
  }
  const linked = ['graphql', 'undici', 'yaml', 'zod'].map((it) => [it, join(project, 'node_modules', it)] as const)
  for (const [name, folder] of [...linked, ...Object.entries(packages)]) {
    mkdirSync(dirname(join(path, 'node_modules', name)), { recursive: true })
    symlinkSync(folder, join(path, 'node_modules', name))
  }
  function write(name: string, text: string): string {
    writeFileSync(join(path, name), text)
    return join(path, name)
  }
  write('package.json', '{ "type": "module" }')
  return { path, write, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}
