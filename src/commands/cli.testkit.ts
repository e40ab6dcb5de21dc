/** The built command, run to its end. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageFolder } from '../shared/package.js'

export interface Ran {
  /** Null where it was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** The Node that runs it; the one that runs the tests unless given. */
  readonly node?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** Is given the process while it runs. */
  readonly meanwhile?: ((child: { kill(signal: NodeJS.Signals): void }) => void) | undefined
}

/** What `npm run build` makes of the command. */
export const cliFile = join(packageFolder(), 'dist/cli/cli.js')

const patienceMs = 60_000

/** The environment of the tests, without what it sets for the suite. */
export function inheritedEnv(): NodeJS.ProcessEnv {
  const { COMMERCE_MOCK_BASE_URL: _, COMMERCE_MOCK_TOKEN: __, GITHUB_ACTIONS: ___, ...inherited } = process.env
  return inherited
}

/** `commerce-mock` with these words. */
export function runCli(
  words: readonly string[],
  { node = process.execPath, env = {}, cwd, meanwhile }: RunOptions = {},
): Promise<Ran> {
  const child = spawn(node, [cliFile, ...words], {
    cwd,
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const impatient = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (written[name] += text))
  }
  meanwhile?.({ kill: (signal) => void child.kill(signal) })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(impatient)
      resolve({ code, ...written })
    })
  })
}
