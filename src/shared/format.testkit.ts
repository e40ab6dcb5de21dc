/** Formats what a test generates as `npm run format` would. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format } from 'oxfmt'
import { packageFolder } from './package.js'

const { ignorePatterns: _, ...options } = JSON.parse(readFileSync(join(packageFolder(), '.oxfmtrc.json'), 'utf8'))

/** The text of a file, formatted. The name of the file gives its language. */
export async function formatted(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, options)
  if (errors.length > 0) throw new Error(`${path} cannot be formatted: ${JSON.stringify(errors)}`)
  return code
}
