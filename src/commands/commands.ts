/** All commands, as the help lists them. Light: their code is loaded when they run. */
import { checkCommands } from './check/options.js'
import type { CommandRule } from './options.js'
import { seedCommands } from './seed/options.js'
import { serveCommand } from './serve/options.js'

export const commands: readonly CommandRule[] = [serveCommand, ...checkCommands, ...seedCommands]
