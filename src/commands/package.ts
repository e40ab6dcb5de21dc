/** Our own package: where it lies, its version, and the text of its schema. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Package {
  readonly version: string
  readonly schema: string
}

let known: Package | undefined

/** Searched upwards for our own package.json, because sources and compiled files lie at different depths. */
export function ownPackage(): Package {
  if (known) return known
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    const manifest = read(join(folder, 'package.json'))
    if (manifest !== undefined && (JSON.parse(manifest) as { name?: string }).name === 'commerce-mock') {
      const { version } = JSON.parse(manifest) as { version: string }
      return (known = { version, schema: readFileSync(join(folder, 'schema.graphql'), 'utf8') })
    }
    if (folder === dirname(folder))
      throw new Error('The package commerce-mock is incomplete: its package.json is missing.')
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
