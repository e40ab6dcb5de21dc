/** The real binary for tests: started as a process of its own, ended with Ctrl-C, all that it wrote kept. */
import { spawn } from 'node:child_process'
import { cliFile } from './cli.testkit.js'

export interface BinaryOptions {
  /** The Node that runs it; the one that runs the tests unless given. */
  readonly node?: string
  /** Set over the environment of the tests. */
  readonly env?: Readonly<Record<string, string>>
  /** Where it runs, and so where it looks for a config file. */
  readonly cwd?: string
  /** How long it may take to start, and again to end. */
  readonly patienceMs?: number
}

export interface Binary extends AsyncDisposable {
  /** The base_url. */
  readonly url: string
  readonly origin: string
  readonly banner: string
  /** Presses Ctrl-C and waits for the exit code; null where it had to be killed. Stopping twice is stopping once. */
  stop(): Promise<number | null>
  signal(name: NodeJS.Signals): void
  /** The exit code, as soon as it has ended; null where it was killed. */
  readonly ended: Promise<number | null>
  /** All that it has written so far, to stdout and to stderr. */
  output(): string
}

const lastLine = 'Press Ctrl-C to stop.\n'

/** `commerce-mock serve` on a free port with these options. Throws where it ends before its banner is out. */
export async function startBinary(
  options: readonly string[] = [],
  { node = process.execPath, env = {}, cwd = process.cwd(), patienceMs = 20_000 }: BinaryOptions = {},
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
    const impatient = setTimeout(kill, patienceMs)
    const code = await ended
    clearTimeout(impatient)
    return code
  }

  const impatient = setTimeout(kill, patienceMs)
  const first = await Promise.race([banner, ended])
  clearTimeout(impatient)
  const url = /^ *API +(\S+)$/m.exec(String(first))?.[1]
  if (url === undefined) {
    kill()
    throw new Error(`The binary did not start (exit code ${String(await ended)}). It wrote:\n${output}`)
  }
  return {
    url,
    origin: new URL(url).origin,
    banner: String(first),
    stop,
    signal: (name) => void child.kill(name),
    ended,
    output: () => output,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}
