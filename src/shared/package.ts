/** Finds our own package, its version and its schema. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Package {
  readonly version: string
  readonly schema: string
}

let cached: Package | undefined

export function ownPackage(): Package {
  if (cached) return cached
  const folder = packageFolder()
  const schema = readFileSync(join(folder, 'schema.graphql'), 'utf8')
  return (cached = { version: readManifest(folder)?.version ?? '', schema })
}

/** Searches upwards, because sources and compiled files are at different depths. */
export function packageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (readManifest(folder)?.name === 'commerce-mock') return folder
    if (folder === dirname(folder)) throw new Error('The package commerce-mock is incomplete: no package.json found.')
  }
}

function readManifest(folder: string): { readonly name?: string; readonly version?: string } | undefined {
  const path = join(folder, 'package.json')
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { name?: string; version?: string }) : undefined
}
