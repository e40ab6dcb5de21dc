#!/usr/bin/env node
/** The command line: runs one command. Only this file reads argv, prints, and sets the exit code. */
import { constants } from 'node:os'
import { styleText } from 'node:util'
import { commands, loaders } from './commands/commands.js'
import { exitCodeOf, type CommandRule } from './commands/options.js'
import { CommanderError, createProgram } from './commands/program.js'
import { createProgress } from './commands/progress.js'
import { loadConfig, readSettings } from './commands/settings.js'

// Without this, graphql-js checks every type for a second copy of itself.
process.env['NODE_ENV'] ??= 'production'

const { env, stdout, stderr } = process
const live = stderr.isTTY && !env['CI']
const progress = createProgress(stderr, { live, now: () => performance.now() })
const log = progress.print
const warn = (line: string) => log(`commerce-mock: ${line}`)

// A reader that closes its pipe (`| head`) must not end the server.
stderr.on('error', () => {})
stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  if (code === 'EPIPE') return
  warn(`The output cannot be written: ${message}`)
  process.exitCode ||= 2
})

/** Aborts on the first signal, with the exit code as its reason. The second signal ends the process. */
function interruption(beforeExit: () => void): AbortSignal {
  const controller = new AbortController()
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    const code = 128 + constants.signals[name]
    process.on(name, () => {
      if (controller.signal.aborted) {
        beforeExit()
        process.exit(code)
      }
      controller.abort(code)
    })
  }
  return controller.signal
}

async function run(command: CommandRule, flags: Readonly<Record<string, unknown>>): Promise<void> {
  const config = await loadConfig(process.cwd())
  const settings = readSettings(command, { flags, env, config, onWarning: warn }, commands)
  const runner = await loaders[command.name]?.()
  let ledger: string | undefined
  const warnOfEnd = () => {
    progress.end()
    if (ledger !== undefined)
      warn(`Ended at once. The ledger ${ledger} lists what was sent. Run the same command again to continue.`)
  }
  const signal = command.endsAtOnce ? new AbortController().signal : interruption(warnOfEnd)
  try {
    const ended = await runner?.(settings as never, {
      env,
      signal,
      // Node knows NO_COLOR, FORCE_COLOR and terminals without colors.
      color: styleText('red', '', { stream: stdout }) !== '',
      onLog: log,
      onWarning: warn,
      onLedger: (path) => void (ledger = path),
      onProgress: progress.show,
      onLive: (line) => live && log(line),
    })
    if (ended?.close) closeOn(signal, ended.close)
    else process.exitCode = signal.aborted ? (signal.reason as number) : ended?.exitCode
    progress.end()
    // Print this last: users of `serve` press Ctrl-C as soon as they see it.
    if (ended?.output) stdout.write(ended.output)
  } finally {
    progress.end()
  }
}

function closeOn(signal: AbortSignal, close: () => Promise<void>): void {
  const end = () =>
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    )
  if (signal.aborted) void end()
  else signal.addEventListener('abort', end)
  if (env['npm_lifecycle_event'] !== undefined) endWithParent()
}

/** npm passes a signal to its shell, and some shells end without passing it on. */
function endWithParent(): void {
  const parent = process.ppid
  const timer = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(timer)
    process.kill(process.pid, 'SIGTERM')
  }, 500).unref()
}

function report(error: unknown): void {
  warn(error instanceof Error ? error.message : String(error))
}

// A config module may go on after it was loaded, and fail.
process.on('uncaughtException', (error) => {
  report(error)
  process.exit(1)
})

createProgram({ onCall: run, write: (text) => stdout.write(text) })
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    // commander has printed the help or the version.
    if (error instanceof CommanderError) return void (process.exitCode ||= error.exitCode === 0 ? 0 : 2)
    report(error)
    process.exitCode = exitCodeOf(error)
  })
