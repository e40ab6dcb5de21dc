/** Reads the documents of a front end, found by glob patterns: GraphQL files, and `gql` tags in code. */
import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { glob } from 'tinyglobby'
import { importsOf } from '../../contract/client-documents.js'
import type { DocumentSource } from '../../contract/documents.js'
import { isObject } from '../../shared/json.js'
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
  const paths = [...new Set(found.flat())].sort()
  const sources: DocumentSource[] = []
  // The list grows while it is read: an imported file need not match a pattern.
  for (const path of paths) {
    const documents = await documentsIn(path)
    sources.push(...documents.map((it) => ({ ...it, variables: variablesOf(path) })))
    paths.push(...documents.flatMap(importsOf).filter((it) => !paths.includes(it)))
  }
  return sources
}

const code: readonly string[] = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs']

/** The documents of a file: its text, or those in the tags of its code. */
async function documentsIn(path: string): Promise<readonly DocumentSource[]> {
  const text = fileText(name, path)
  if (!code.includes(extname(path))) return [{ path, text }]
  // Loaded only if needed, because it brings a parser of TypeScript.
  const { gqlPluckFromCodeStringSync } = await import('@graphql-tools/graphql-tag-pluck')
  try {
    const found = gqlPluckFromCodeStringSync(path, text, {
      globalGqlIdentifierName: ['gql', 'graphql'],
      skipIndent: true,
    })
    return found.map(({ body, locationOffset }) => ({ path, text: body, line: locationOffset.line }))
  } catch (error) {
    throw new UsageError(`${name}: ${path} cannot be read: ${(error as Error).message}`)
  }
}

function variablesOf(path: string): DocumentSource['variables'] {
  const file = `${path}.variables.json`
  if (!existsSync(file)) return undefined
  const values = fileJson(name, file)
  if (isObject(values)) return values
  throw new UsageError(`${name}: the file ${file} must hold an object with variables.`)
}
