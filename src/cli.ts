#!/usr/bin/env node
/** The command line: runs one command. Only this file reads argv, prints, and sets the exit code. */
import { constants } from 'node:os'
import type { CheckOptions, CleanupOptions } from './commands/check/options.js'
import { commands } from './commands/commands.js'
import { UsageError, type CommandRule } from './commands/options.js'
import { CommanderError, createProgram } from './commands/program.js'
import type { SeedCleanupOptions, SeedOptions } from './commands/seed/options.js'
import { createProgress } from './commands/seed/progress.js'
import type { ServeOptions } from './commands/serve/options.js'
import { loadConfig, readSettings } from './commands/settings.js'

const exitCodes = { failed: 1, usage: 2 }
const exitCodeOf = (signal: NodeJS.Signals) => 128 + constants.signals[signal]

// Without this, graphql-js checks every type for a second copy of itself.
process.env['NODE_ENV'] ??= 'production'

// A reader that closes its pipe (`| head`) must not end the server.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const say = (line: string) => process.stderr.write(`${line}\n`)
const complain = (line: string) => say(`commerce-mock: ${line}`)

/** The last line of a terminal, overwritten as a command makes progress. */
const isWatched = process.stderr.isTTY
const showStatus = (text: string) => void (isWatched && process.stderr.write(`\r${text}\x1b[K`))

const { env } = process

/** Loads the code of a command. Ends the process if that fails: the code that reports errors may be what is missing. */
async function load<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading
  } catch (error) {
    complain(`The package cannot be loaded: ${(error as Error).message.split('\n')[0]}`)
    process.exit(exitCodes.usage)
  }
}

type Settings = Record<string, unknown>

async function runServe(options: ServeOptions): Promise<void> {
  const { serve } = await load(import('./commands/serve/index.js'))
  const serving = await serve(options, { env, onUnexpected: complain, onRequest: say })
  let closing = false
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      if (closing) process.exit(exitCodeOf(signal))
      closing = true
      serving.close().then(
        () => process.exit(0),
        () => process.exit(exitCodes.failed),
      )
    })
  }
  // Print this last: users press Ctrl-C as soon as they see it.
  process.stdout.write(`${serving.banner}\n`)
}

interface Interruption {
  readonly signal: AbortSignal
  /** The exit code for the signal that came. */
  readonly code: () => number
}

/** Aborts on the first signal, so that a command can clean up. The second signal ends the process. */
function interruption(lastWords: () => string | undefined = () => undefined): Interruption {
  const controller = new AbortController()
  let code = 0
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) {
        const words = lastWords()
        if (words !== undefined) complain(words)
        process.exit(exitCodeOf(signal))
      }
      code = exitCodeOf(signal)
      controller.abort()
    })
  }
  return { signal: controller.signal, code: () => code }
}

interface Ended {
  readonly output: string
  readonly exitCode: number
}

/** Runs a command that ends by itself, and prints its output. */
async function runToEnd({ signal, code }: Interruption, run: () => Promise<Ended>): Promise<void> {
  try {
    const { output, exitCode } = await run()
    showStatus('')
    process.exitCode = signal.aborted ? code() : exitCode
    process.stdout.write(output)
  } catch (error) {
    showStatus('')
    throw error
  }
}

async function runCheck(options: CheckOptions): Promise<void> {
  const { check } = await load(import('./commands/check/index.js'))
  // The command imports the mock later. Load it here, so that a failure is reported.
  if (options.baseUrl === undefined && !options.list) await load(import('./mock/create-mock.js'))
  const interrupted = interruption()
  await runToEnd(interrupted, () =>
    check(options, {
      env,
      signal: interrupted.signal,
      interruptCode: interrupted.code,
      colour: process.stdout.isTTY && !env['NO_COLOR'],
      onWarning: complain,
      onProgress: (done, of) => showStatus(`${done} of ${of} checks`),
    }),
  )
}

async function runCheckCleanup(options: CleanupOptions): Promise<void> {
  const { checkCleanup } = await load(import('./commands/check/cleanup.js'))
  // A signal ends it at once: the ledger is on disk, so the same command can be run again.
  const { output, exitCode } = await checkCleanup(options, { env, onWarning: complain })
  process.exitCode = exitCode
  process.stdout.write(output)
}

async function runSeed(options: SeedOptions): Promise<void> {
  const { seed } = await load(import('./commands/seed/index.js'))
  const progress = createProgress(isWatched, () => performance.now())
  let ledger: string | undefined
  const lastWords = () => {
    showStatus('')
    return ledger && `Ended at once. The ledger ${ledger} lists what was sent. Run the same command again to continue.`
  }
  const interrupted = interruption(lastWords)
  await runToEnd(interrupted, () =>
    seed(options, {
      env,
      signal: interrupted.signal,
      onWarning: complain,
      onLedger: (path) => void (ledger = path),
      onProgress(state) {
        const text = progress(state)
        if (text !== undefined) process.stderr.write(text)
      },
    }),
  )
}

async function runSeedCleanup(options: SeedCleanupOptions): Promise<void> {
  const { seedCleanup } = await load(import('./commands/seed/cleanup.js'))
  const interrupted = interruption()
  const { signal } = interrupted
  await runToEnd(interrupted, () => seedCleanup(options, { env, signal, onWarning: complain }))
}

const runners: Readonly<Record<string, (settings: Settings) => Promise<void>>> = {
  serve: (settings) => runServe(settings as ServeOptions),
  check: (settings) => runCheck(settings as CheckOptions),
  'check cleanup': (settings) => runCheckCleanup(settings as never),
  seed: (settings) => runSeed(settings as SeedOptions),
  'seed cleanup': (settings) => runSeedCleanup(settings as never),
}

async function run(command: CommandRule, flags: Settings): Promise<void> {
  const config = await loadConfig(process.cwd())
  await runners[command.name]?.(readSettings(command, { flags, env, config }, commands))
}

/** Prints an error in one line and returns the exit code. */
function report(error: unknown): number {
  // commander has printed the help or the version.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage
  complain(error instanceof Error ? error.message : String(error))
  return error instanceof UsageError ? exitCodes.usage : exitCodes.failed
}

// A config module may go on after it was loaded, and fail.
process.on('uncaughtException', (error) => process.exit(report(error)))

createProgram({ onCall: run, write: (text) => process.stdout.write(text) })
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.exitCode = report(error)
  })
