/** Starts `commerce-mock serve` as a process for tests. */
import { spawn } from 'node:child_process'
import { cliFile } from './cli.testkit.js'

export interface BinaryOptions {
  /** The Node binary. Defaults to the one that runs the tests. */
  readonly node?: string
  /** Added to the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** The working folder, in which it looks for a config file. */
  readonly cwd?: string
  /** How long it may take to start, and to end. */
  readonly timeoutMs?: number
}

export interface Binary extends AsyncDisposable {
  /** The base_url. */
  readonly url: string
  readonly origin: string
  readonly banner: string
  readonly pid: number
  /** Presses Ctrl-C and waits for the exit code; null if it had to be killed. Can be called twice. */
  stop(): Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** The exit code; null if it was killed. */
  readonly ended: Promise<number | null>
  /** The output so far, of stdout and stderr. */
  output(): string
}

const lastLine = 'Press Ctrl-C to stop.\n'

/** Runs `commerce-mock serve` on a free port. Throws if it ends before it has printed its banner. */
export async function startBinary(
  options: readonly string[] = [],
  { node = process.execPath, env = {}, cwd = process.cwd(), timeoutMs = 20_000 }: BinaryOptions = {},
): Promise<Binary> {
  const child = spawn(node, [cliFile, 'serve', '--port', '0', ...options], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)

  let output = ''
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      process.off('exit', kill)
      resolve(code)
    })
  })
  const banner = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text
        if (output.includes(lastLine)) resolve(output.slice(0, output.indexOf(lastLine) + lastLine.length))
      })
    }
  })

  async function stop(): Promise<number | null> {
    child.kill('SIGINT')
    const timer = setTimeout(kill, timeoutMs)
    const code = await ended
    clearTimeout(timer)
    return code
  }

  const timer = setTimeout(kill, timeoutMs)
  const first = await Promise.race([banner, ended])
  clearTimeout(timer)
  const url = /^ *API +(\S+)$/m.exec(String(first))?.[1]
  if (url === undefined) {
    kill()
    throw new Error(`The binary did not start (exit code ${String(await ended)}). It wrote:\n${output}`)
  }
  return {
    url,
    origin: new URL(url).origin,
    banner: String(first),
    pid: child.pid as number,
    stop,
    signal: (name) => void child.kill(name),
    ended,
    output: () => output,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}
