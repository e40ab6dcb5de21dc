/** A command run in this process: the streams and exit code of the binary, without the second that a start takes. */
import { checkCleanup } from './check/cleanup.js'
import { check } from './check/index.js'
import type { CheckOptions } from './check/options.js'
import { inheritedEnv, type Ran } from './cli.testkit.js'
import { commands } from './commands.js'
import { UsageError } from './options.js'
import { createProgram } from './program.js'
import { seed } from './seed/index.js'
import type { SeedOptions } from './seed/options.js'
import { loadConfig, readSettings } from './settings.js'

export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The working folder while the command runs. Concurrent tests must not set it; they use absolute paths. */
  readonly cwd?: string | undefined
}

type Surroundings = Parameters<typeof check>[1] & Parameters<typeof seed>[1]

const runners: Readonly<
  Record<string, (settings: object, surroundings: Surroundings) => Promise<{ output: string; exitCode: number }>>
> = {
  check: (settings, surroundings) => check(settings as CheckOptions, surroundings),
  'check cleanup': (settings, surroundings) => checkCleanup(settings as never, surroundings),
  seed: (settings, surroundings) => seed(settings as SeedOptions, surroundings),
}

/** `commerce-mock WORDS`, for every command but `serve`. */
export async function runInProcess(
  words: readonly string[],
  { env: set = {}, cwd }: InProcessOptions = {},
): Promise<Ran> {
  const env = { ...inheritedEnv(), ...set }
  const before = process.cwd()
  let stderr = ''
  const complain = (line: string) => void (stderr += `commerce-mock: ${line}\n`)
  let ran: Ran | undefined
  const program = createProgram(async (command, flags) => {
    const config = await loadConfig(process.cwd())
    const { output, exitCode } = await runners[command.name]!(readSettings(command, { flags, env, config }, commands), {
      env,
      signal: new AbortController().signal,
      colour: false,
      onWarning: complain,
      onProgress: () => {},
      onLedger: () => {},
    })
    ran = { code: exitCode, stdout: output, stderr }
  })
  if (cwd !== undefined) process.chdir(cwd)
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    complain((error as Error).message)
    return { code: error instanceof UsageError ? 2 : 1, stdout: '', stderr }
  } finally {
    if (cwd !== undefined) process.chdir(before)
  }
  return ran!
}
