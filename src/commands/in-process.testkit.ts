/** A command run in this process: the streams and exit code of the binary, without the second that a start takes. */
import { checkCleanup } from './check/cleanup.js'
import { check } from './check/index.js'
import { inheritedEnv, type Ran } from './cli.testkit.js'
import { commands } from './commands.js'
import { UsageError } from './options.js'
import { CommanderError, createProgram } from './program.js'
import { seedCleanup } from './seed/cleanup.js'
import { seed } from './seed/index.js'
import { serve } from './serve/index.js'
import { loadConfig, readSettings } from './settings.js'

export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The working folder while the command runs. Concurrent tests must not set it; they use absolute paths. */
  readonly cwd?: string | undefined
}

type Surroundings = Parameters<typeof check>[1] & Parameters<typeof seed>[1]
type Runner = (settings: never, surroundings: Surroundings) => Promise<{ output: string; exitCode: number }>

const runners: Readonly<Record<string, Runner>> = {
  check,
  'check cleanup': checkCleanup,
  seed,
  'seed cleanup': seedCleanup,
  /** Stops as soon as it listens. */
  async serve(settings, { env, onWarning }) {
    const serving = await serve(settings, { env, onUnexpected: onWarning, onRequest: onWarning })
    await serving.close()
    return { output: serving.banner, exitCode: 0 }
  },
}

/** Runs `commerce-mock WORDS`. */
export async function runInProcess(
  words: readonly string[],
  { env: set = {}, cwd }: InProcessOptions = {},
): Promise<Ran> {
  const env = { ...inheritedEnv(), ...set }
  const surroundings = {
    env,
    signal: new AbortController().signal,
    colour: false,
    onWarning: (line: string) => void (stderr += `commerce-mock: ${line}\n`),
    onProgress: () => {},
    onLedger: () => {},
  }
  const before = process.cwd()
  let [code, stdout, stderr] = [0, '', '']
  const program = createProgram({
    write: (text) => (stdout += text),
    async onCall(command, flags) {
      const config = await loadConfig(process.cwd())
      const settings = readSettings(command, { flags, env, config }, commands)
      const ran = await runners[command.name]!(settings as never, surroundings)
      code = ran.exitCode
      stdout += ran.output
    },
  })
  if (cwd !== undefined) process.chdir(cwd)
  try {
    await program.parseAsync(words, { from: 'user' })
    return { code, stdout, stderr }
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return { code: 0, stdout, stderr }
    surroundings.onWarning((error as Error).message)
    return { code: error instanceof UsageError ? 2 : 1, stdout: '', stderr }
  } finally {
    if (cwd !== undefined) process.chdir(before)
  }
}
