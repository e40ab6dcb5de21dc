/** Runs a command in this process: the streams and exit code of the binary, without the second that a start takes. */
import { inheritedEnv, type Ran } from './cli.testkit.js'
import { commands, loaders } from './commands.js'
import { exitCodeOf } from './options.js'
import { CommanderError, createProgram } from './program.js'
import { loadConfig, readSettings } from './settings.js'

export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>> | undefined
  /** The working folder while the command runs. Concurrent tests must not set it; they use absolute paths. */
  readonly cwd?: string | undefined
}

/** Runs `commerce-mock WORDS`. `serve` stops as soon as it listens. */
export async function runInProcess(
  words: readonly string[],
  { env: set = {}, cwd }: InProcessOptions = {},
): Promise<Ran> {
  const env = { ...inheritedEnv(), ...set }
  const surroundings = {
    env,
    signal: new AbortController().signal,
    color: false,
    onLog: () => {},
    onWarning: (line: string) => void (stderr += `commerce-mock: ${line}\n`),
    onProgress: () => {},
    onLive: () => {},
    onLedger: () => {},
  }
  const before = process.cwd()
  let [code, stdout, stderr] = [0, '', '']
  const program = createProgram({
    write: (text) => (stdout += text),
    async onCall(command, flags) {
      const config = await loadConfig(process.cwd())
      const settings = readSettings(command, { flags, env, config, onWarning: surroundings.onWarning }, commands)
      const runner = await loaders[command.name]!()
      const ran = await runner(settings as never, surroundings)
      await ran.close?.()
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
    return { code: exitCodeOf(error), stdout: '', stderr }
  } finally {
    if (cwd !== undefined) process.chdir(before)
  }
}
