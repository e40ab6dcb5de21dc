/** A command in this process: its streams and exit code as the binary has them, without the second that a start takes. */
import { Command, Option } from 'commander'
import { check } from './check/index.js'
import { checkOptions, type CheckOptions } from './check/options.js'
import { inheritedEnv, type Ran } from './cli.testkit.js'
import { UsageError, type OptionRule } from './options.js'
import { seedCleanup } from './seed/cleanup.js'
import { seed } from './seed/index.js'
import { seedCleanupOptions, seedOptions, type SeedCleanupOptions, type SeedOptions } from './seed/options.js'
import { serveOptions } from './serve/options.js'
import { loadConfig, readSettings } from './settings.js'

export interface InProcessOptions {
  readonly env?: Readonly<Record<string, string>> | undefined
  /** Entered for the time of the run: tests that run at once leave it out and name whole paths. */
  readonly cwd?: string | undefined
}

type Surroundings = Parameters<typeof check>[1] & Parameters<typeof seed>[1]

const commands = {
  check: {
    rules: checkOptions,
    others: [...serveOptions, ...seedOptions],
    run: (options: object, surroundings: Surroundings) => check(options as CheckOptions, surroundings),
  },
  seed: {
    rules: seedOptions,
    others: [...serveOptions, ...checkOptions],
    run: (options: object, surroundings: Surroundings) => seed(options as SeedOptions, surroundings),
  },
  'seed cleanup': {
    rules: seedCleanupOptions,
    others: [...serveOptions, ...checkOptions, ...seedOptions],
    run: (options: object, surroundings: Surroundings) => seedCleanup(options as SeedCleanupOptions, surroundings),
  },
}

function flagsOf(name: string, rules: readonly OptionRule[], words: readonly string[]): Record<string, unknown> {
  const command = new Command(name).exitOverride().allowExcessArguments(false)
  for (const { flags, repeat } of rules) {
    const option = new Option(flags)
    command.addOption(repeat ? option.argParser((text: string, before: string[] = []) => [...before, text]) : option)
  }
  return command.parse(words, { from: 'user' }).opts()
}

/** `commerce-mock check …` or `commerce-mock seed …` with these words. */
export async function runInProcess(
  [name, ...words]: readonly ['check' | 'seed', ...string[]],
  { env: set = {}, cwd }: InProcessOptions = {},
): Promise<Ran> {
  const isCleanup = name === 'seed' && words[0] === 'cleanup'
  const { rules, others, run } = commands[isCleanup ? 'seed cleanup' : name]
  const ledger = isCleanup ? { ledger: words.splice(0, 2)[1] } : {}
  const env = { ...inheritedEnv(), ...set }
  const before = process.cwd()
  let stderr = ''
  const complain = (line: string) => void (stderr += `commerce-mock: ${line}\n`)
  if (cwd !== undefined) process.chdir(cwd)
  try {
    const config = await loadConfig(process.cwd())
    const options = readSettings(rules, { flags: flagsOf(name, rules, words), env, config, others })
    const { output, exitCode } = await run(
      { ...options, ...ledger },
      {
        env,
        signal: new AbortController().signal,
        colour: false,
        onWarning: complain,
        onProgress: () => {},
        onLedger: () => {},
      },
    )
    return { code: exitCode, stdout: output, stderr }
  } catch (error) {
    complain((error as Error).message)
    return { code: error instanceof UsageError ? 2 : 1, stdout: '', stderr }
  } finally {
    if (cwd !== undefined) process.chdir(before)
  }
}
