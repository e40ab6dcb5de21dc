/** The commander program, built from the list of commands. */
import { Command, CommanderError, Option } from 'commander'
import { ownPackage } from '../shared/package.js'
import { commands } from './commands.js'
import { UsageError, type CommandRule, type OptionRule } from './options.js'
import { flagOf } from './settings.js'

export { CommanderError }

/** Called for the command that was typed, with the texts of its options and of its argument by their keys. */
export type OnCall = (command: CommandRule, flags: Readonly<Record<string, unknown>>) => Promise<void>

export interface ProgramOptions {
  readonly onCall: OnCall
  /** Takes the help and the version. */
  readonly write: (text: string) => void
}

export function createProgram({ onCall, write }: ProgramOptions): Command {
  const root = new Command('commerce-mock')
    .description('A verified fake of the commerce account GraphQL service.')
    .version(ownPackage().version, '--version', 'print the version')
    .addHelpText('after', '\nTry: commerce-mock serve, then open http://localhost:4000/api/v2 in a browser.')
    .configureOutput({ writeOut: write, outputError: () => {} })
  configure(root)
  const created = new Map<string, Command>()
  for (const rule of commands) {
    const [word = '', parent] = rule.name.split(' ').toReversed()
    const command = (created.get(parent ?? '') ?? root).command(word)
    created.set(rule.name, command)
    addRule(command, rule, { onCall, write })
  }
  return root
}

function addRule(command: Command, rule: CommandRule, { onCall, write }: ProgramOptions): void {
  const { summary, about, argument, options, topics } = rule
  command.summary(summary).description(about)
  if (argument) command.argument(`<${argument.key}>`, argument.about)
  const flags = options.map(flagOf)
  for (const it of options) command.addOption(optionOf(it, flags))
  configure(command, rule)
  if (topics) addTopics(command, topics, write)
  command.action(async () => {
    // commander gives options that precede the name of a subcommand to its parent.
    const [lost] = Object.keys(rule.name.includes(' ') ? (command.parent?.opts() ?? {}) : {})
    if (lost !== undefined) throw new UsageError(`Options of ${rule.name} go after its name.`)
    const values = argument ? { [argument.key]: command.processedArgs[0] as unknown } : {}
    await onCall(rule, { ...command.opts(), ...values })
  })
}

const configure = (command: Command, rule?: CommandRule) =>
  command
    .helpOption('-h, --help', 'print this help')
    // Without this, a parent takes the options of its subcommands.
    .enablePositionalOptions()
    .allowExcessArguments(false)
    .exitOverride((error) => {
      // Without a command, commander has already printed the help.
      throw error.exitCode === 0 || error.code === 'commander.help' ? error : usageError(error, rule)
    })

function addTopics(command: Command, topics: NonNullable<CommandRule['topics']>, write: ProgramOptions['write']): void {
  const names = Object.keys(topics)
  const about = `print this help, or more about ${names.join(', ')}`
  command.helpOption(false).addOption(new Option('-h, --help [topic]', about))
  command.on('option:help', (topic: string | null) => {
    if (topic === null) command.help()
    const text = topics[topic]
    if (!text) throw new UsageError(`--help takes ${names.join(' or ')}, not ${JSON.stringify(topic)}.`)
    write(text())
    throw new CommanderError(0, 'commander.helpDisplayed', '')
  })
}

function optionOf({ flags, about, default: value, repeat, list }: OptionRule, others: readonly string[]): Option {
  const option = new Option(flags, value === undefined ? about : `${about} (default: ${value})`)
  if (!flags.includes('<')) return option
  return option.argParser<string | readonly string[] | undefined>((text, before = []) => {
    // commander takes the next word, whatever it is.
    if (others.includes(text)) throw new UsageError(`${flags.split(' ')[0]} needs a value before ${text}.`)
    const all = [before, text].flat()
    if (list) return all.join(',')
    return repeat ? all : text
  })
}

function usageError({ code, message }: CommanderError, rule: CommandRule | undefined): UsageError {
  const flag = code === 'commander.unknownOption' ? /'(--[^'=]+)/.exec(message)?.[1] : undefined
  const instead = flag === undefined ? undefined : rule?.replaced?.[flag]
  if (instead !== undefined) return new UsageError(`There is no ${flag}. Use ${instead}.`)
  const text = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ')
  const sentence = `${text.charAt(0).toUpperCase()}${text.slice(1)}${text.endsWith('.') ? '' : '.'}`
  return new UsageError(`${sentence} See ${['commerce-mock', rule?.name, '--help'].filter(Boolean).join(' ')}.`)
}
