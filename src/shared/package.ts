/** Our own package: where it lies, its version, and the text of its schema. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

interface Package {
  readonly version: string
  readonly schema: string
}

const isOwn = (manifest: string | undefined): boolean =>
  manifest !== undefined && (JSON.parse(manifest) as { name?: string }).name === 'commerce-mock'

/** Searched upwards for our own package.json, because sources and compiled files lie at different depths. */
export function packageFolder(): string {
  for (let folder = dirname(fileURLToPath(import.meta.url)); ; folder = dirname(folder)) {
    if (isOwn(read(join(folder, 'package.json')))) return folder
    if (folder === dirname(folder))
      throw new Error('The package commerce-mock is incomplete: its package.json is missing.')
  }
}

let known: Package | undefined

export function ownPackage(): Package {
  if (known) return known
  const folder = packageFolder()
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string }
  return (known = { version, schema: readFileSync(join(folder, 'schema.graphql'), 'utf8') })
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
