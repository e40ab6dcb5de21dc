/** Runs the built command to its end. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { packageFolder } from '../shared/package.js'

export interface Ran {
  /** Null if it was killed. */
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  /** The Node binary. Defaults to the one that runs the tests. */
  readonly node?: string | undefined
  readonly env?: Readonly<Record<string, string>> | undefined
  readonly cwd?: string | undefined
  /** The user that runs it; only root can choose. */
  readonly uid?: number | undefined
  /** Called with the process when it has started. */
  readonly meanwhile?: ((child: { kill(signal: NodeJS.Signals): void }) => void) | undefined
}

/** The command that `npm run build` makes. */
export const cliFile = join(packageFolder(), 'dist/cli/cli.js')

const timeoutMs = 60_000

const ofUser = ['COMMERCE_MOCK_BASE_URL', 'COMMERCE_MOCK_TOKEN', 'GITHUB_ACTIONS', 'CI', 'NO_COLOR', 'FORCE_COLOR']

/** The environment of the tests, without settings of commands. */
export const inheritedEnv = (): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !ofUser.includes(name)))

/** Runs `commerce-mock WORDS`. */
export function runCli(
  words: readonly string[],
  { node = process.execPath, env = {}, cwd, uid, meanwhile }: RunOptions = {},
): Promise<Ran> {
  const child = spawn(node, [cliFile, ...words], {
    cwd,
    uid,
    env: { ...inheritedEnv(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs)
  const written = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (written[name] += text))
  }
  meanwhile?.({ kill: (signal) => void child.kill(signal) })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      clearTimeout(timer)
      resolve({ code, ...written })
    })
  })
}
