/** Reads the documents of a front end, found by glob patterns. */
import { existsSync } from 'node:fs'
import { glob } from 'tinyglobby'
import type { DocumentSource } from '../../contract/documents.js'
import { isObject } from '../../shared/is-object.js'
import { fileJson, fileText, UsageError } from '../options.js'

const name = '--documents'

/** Throws a UsageError if a pattern matches no file, or a file cannot be read. */
export async function readDocuments(patterns: readonly string[]): Promise<readonly DocumentSource[]> {
  const found = await Promise.all(
    patterns.map(async (pattern) => {
      const paths = await glob(pattern, { expandDirectories: false, ignore: ['**/node_modules/**'] })
      if (paths.length === 0) throw new UsageError(`${name}: no file matches ${JSON.stringify(pattern)}.`)
      return paths
    }),
  )
  // Sorted, because the order of files on a disk is arbitrary.
  return [...new Set(found.flat())]
    .sort()
    .map((path) => ({ path, text: fileText(name, path), variables: variablesOf(path) }))
}

function variablesOf(path: string): DocumentSource['variables'] {
  const file = `${path}.variables.json`
  if (!existsSync(file)) return undefined
  const values = fileJson(name, file)
  if (isObject(values)) return values
  throw new UsageError(`${name}: the file ${file} must hold an object with variables.`)
}
