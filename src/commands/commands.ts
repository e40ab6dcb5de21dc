/** All commands, as the help lists them. Light: their code is loaded when they run. */
import { checkCommands } from './check/options.js'
import type { CommandRule } from './options.js'
import type { Progress } from './progress.js'
import { seedCommands } from './seed/options.js'
import { serveCommand } from './serve/options.js'

export const commands: readonly CommandRule[] = [serveCommand, ...checkCommands, ...seedCommands]

/** What a command gets from the process that runs it. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Ends the command early. Its reason is the exit code. */
  readonly signal: AbortSignal
  readonly color: boolean
  /** Takes a line of the request log. */
  readonly onLog: (line: string) => void
  /** Takes a line about an internal error or a likely mistake. */
  readonly onWarning: (line: string) => void
  /** Called with the path of a ledger before anything is sent. */
  readonly onLedger: (path: string) => void
  readonly onProgress: (state: () => Progress) => void
  /** Takes a line for a user who watches: it is printed on a terminal only. */
  readonly onLive: (line: string) => void
}

export interface Ended {
  /** For standard output. */
  readonly output: string
  readonly exitCode: number
  /** Set if the command goes on until this is called. */
  readonly close?: () => Promise<void>
}

type Run = (settings: never, surroundings: Surroundings) => Promise<Ended>

/** The code of each command, by its name. */
export const loaders: Readonly<Record<string, () => Promise<Run>>> = {
  serve: async () => (await import('./serve/index.js')).serve,
  check: async () => (await import('./check/index.js')).check,
  'check cleanup': async () => (await import('./check/cleanup.js')).checkCleanup,
  seed: async () => (await import('./seed/index.js')).seed,
  'seed cleanup': async () => (await import('./seed/cleanup.js')).seedCleanup,
}
