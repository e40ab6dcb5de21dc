#!/usr/bin/env node
/** The command line: argv to one command. Here alone are argv and the environment read, text printed, the exit code set. */
import { Command, CommanderError, Option } from 'commander'
import { checkAbout, checkOptions, type CheckOptions } from './commands/check/options.js'
import { UsageError, type OptionRule } from './commands/options.js'
import { ownPackage } from './shared/package.js'
import { seedAbout, seedCleanupAbout, seedCleanupOptions, seedOptions, type SeedOptions } from './commands/seed/options.js'
import { createProgress } from './commands/seed/progress.js'
import { serveAbout, serveOptions, type ServeOptions } from './commands/serve/options.js'
import { loadConfig, namesOf, ofConfig, readSettings } from './commands/settings.js'

/** `usage` also where nothing could be begun: a check that exits with 1 has found a broken promise. */
const exitCodes = { failed: 1, usage: 2, interrupted: 130 }

// graphql-js looks for a second copy of itself behind each type unless told that this is no development of a schema.
process.env['NODE_ENV'] ??= 'production'

// A reader that went away (`| head`) must not end the server.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

const say = (text: string) => process.stdout.write(`${text}\n`)
const note = (line: string) => process.stderr.write(`${line}\n`)
const complain = (line: string) => process.stderr.write(`commerce-mock: ${line}\n`)

/** A command is loaded when it is run. What cannot be loaded ends the process here, because what tells other errors may be what is missing. */
async function load<Module>(loading: Promise<Module>): Promise<Module> {
  try {
    return await loading
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const tooFew = 'The process may not open enough files. Allow it more, such as by "ulimit -n 256".'
    complain(code === 'EMFILE' ? tooFew : `The package cannot be loaded: ${message.split('\n')[0]}`)
    process.exit(exitCodes.usage)
  }
}

function optionOf({ flags, about, default: value, repeat }: OptionRule): Option {
  const option = new Option(flags, value === undefined ? about : `${about} (default: ${value})`)
  return repeat ? option.argParser((text: string, before: string[] = []) => [...before, text]) : option
}

async function runServe(flags: Record<string, unknown>): Promise<void> {
  const config = await loadConfig(process.cwd())
  const places = { flags, env: process.env, config, others: [...checkOptions, ...seedOptions] }
  const options = readSettings(serveOptions, places) as ServeOptions
  const names = namesOf(serveOptions, places)
  const { serve } = await load(import('./commands/serve/index.js'))
  const serving = await serve(options, { env: process.env, names, onUnexpected: complain, onRequest: note })
  let ending = false
  const end = () => {
    // Whoever asks twice does not want to wait for what is under way.
    if (ending) process.exit(exitCodes.interrupted)
    ending = true
    serving.close().then(
      () => process.exit(0),
      () => process.exit(exitCodes.failed),
    )
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end)
  // Whoever waits for the banner may press Ctrl-C at once.
  say(serving.banner)
}

/**
 * Ended by the first Ctrl-C or by a terminal that is closed, so that what is under way can be brought to an end; the
 * second ends the process, with what there is to say then.
 */
function interruption(lastWords: () => string | undefined = () => undefined): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (controller.signal.aborted) {
        const words = lastWords()
        if (words !== undefined) complain(words)
        process.exit(exitCodes.interrupted)
      }
      controller.abort()
    })
  }
  return controller.signal
}

async function runCheck(flags: Record<string, unknown>): Promise<void> {
  const config = await loadConfig(process.cwd())
  const settings = { flags, env: process.env, config, others: [...serveOptions, ...seedOptions] }
  const options = readSettings(checkOptions, settings) as CheckOptions
  const { check } = await load(import('./commands/check/index.js'))
  // It imports these when it needs them, and finds them loaded.
  if (options.baseUrl === undefined && !options.list) await load(import('./mock/create-mock.js'))
  const watched = process.stderr.isTTY
  const { output, exitCode } = await check(options, {
    env: process.env,
    signal: interruption(),
    colour: process.stdout.isTTY && !process.env['NO_COLOR'],
    onWarning: complain,
    onProgress: (done, of) => void (watched && process.stderr.write(`\r${done} of ${of} checks\x1b[K`)),
  })
  if (watched) process.stderr.write('\r\x1b[K')
  process.exitCode = exitCode
  process.stdout.write(output)
}

async function runSeed(flags: Record<string, unknown>): Promise<void> {
  const config = await loadConfig(process.cwd())
  const settings = { flags, env: process.env, config, others: [...serveOptions, ...checkOptions] }
  const options = readSettings(seedOptions, settings) as SeedOptions
  const { seed } = await load(import('./commands/seed/index.js'))
  const progress = createProgress(process.stderr.isTTY, () => performance.now())
  const clear = () => void (process.stderr.isTTY && process.stderr.write('\r\x1b[K'))
  let ledger: string | undefined
  const lastWords = () => {
    clear()
    return ledger && `Ended at once. What was sent stands in ${ledger}: run the same again to go on.`
  }
  try {
    const { output, exitCode } = await seed(options, {
      env: process.env,
      signal: interruption(lastWords),
      onWarning: complain,
      onLedger: (path) => void (ledger = path),
      onProgress(state) {
        const text = progress(state)
        if (text !== undefined) process.stderr.write(text)
      },
    })
    clear()
    process.exitCode = exitCode
    process.stdout.write(output)
  } catch (error) {
    clear()
    throw error
  }
}

async function runSeedCleanup(ledger: string, flags: Record<string, unknown>): Promise<void> {
  const config = await loadConfig(process.cwd())
  const settings = { flags, env: process.env, config, others: [...serveOptions, ...checkOptions, ...seedOptions] }
  const options = { ...readSettings(seedCleanupOptions, settings), ledger }
  const { seedCleanup } = await load(import('./commands/seed/cleanup.js'))
  const { output, exitCode } = await seedCleanup(options, {
    env: process.env,
    signal: interruption(),
    onWarning: complain,
  })
  process.exitCode = exitCode
  process.stdout.write(output)
}

function program(): Command {
  const { version } = ownPackage()
  const root = new Command('commerce-mock')
    .description('A verified fake of the commerce account GraphQL service.')
    .version(version, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', '\nTry: commerce-mock serve, then open http://localhost:4000/api/v2 in a browser.')
  const serveCommand = root.command('serve').summary('serve the mock').description(serveAbout).action(runServe)
  for (const rule of serveOptions) serveCommand.addOption(optionOf(rule))
  const checkCommand = root.command('check').summary('judge a server').description(checkAbout).action(runCheck)
  for (const rule of checkOptions) checkCommand.addOption(optionOf(rule))
  const seedCommand = root.command('seed').summary('write demo data').description(seedAbout).action(runSeed)
  for (const rule of seedOptions) seedCommand.addOption(optionOf(rule))
  const cleanupCommand = seedCommand.command('cleanup').argument('<ledger>').description(seedCleanupAbout)
  cleanupCommand.action(runSeedCleanup)
  for (const rule of seedCleanupOptions) cleanupCommand.addOption(optionOf(rule))
  for (const it of [root, seedCommand, cleanupCommand]) it.enablePositionalOptions()
  for (const command of [root, serveCommand, checkCommand, seedCommand, cleanupCommand]) {
    command
      .exitOverride()
      .configureOutput({ outputError: () => {} })
      .allowExcessArguments(false)
  }
  return root
}

/** What commander says of a wrong call, as one sentence. */
const inOneLine = (message: string): string => {
  if (message.includes("'--token'")) {
    return 'There is no --token, because others can read a command line. Name what holds it: --token-env NAME or --token-file FILE.'
  }
  const text = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
}

/** The help that tells of the options of a command. */
const helpOf = (command: string | undefined) =>
  ['serve', 'check', 'seed'].includes(command ?? '') ? `commerce-mock ${command} --help` : 'commerce-mock --help'

/** The exit code of an error, after it was said in one line. */
function failed(error: unknown): number {
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return 0
    // Called without a command, commander has printed the whole help already.
    if (error.code !== 'commander.help') complain(`${inOneLine(error.message)} See ${helpOf(process.argv[2])}.`)
    return exitCodes.usage
  }
  const said = ofConfig(error)
  complain(said instanceof Error ? said.message : String(said))
  return said instanceof UsageError ? exitCodes.usage : exitCodes.failed
}

// A config module may go on after it was loaded, and nobody else takes its errors.
process.on('uncaughtException', (error) => process.exit(failed(error)))

program()
  .parseAsync(process.argv)
  .catch((error: unknown) => {
    process.exitCode = failed(error)
  })
