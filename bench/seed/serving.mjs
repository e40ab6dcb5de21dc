/** The built commands as processes, and what a benchmark needs of them. */
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const cli = fileURLToPath(new URL('../../dist/cli/cli.js', import.meta.url))

/** `commerce-mock` with these words; `ended` gives its exit code and what it printed. */
export function start(words) {
  const child = spawn(process.execPath, [cli, ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text))
  const ended = new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, ...output }))
  })
  return { child, ended }
}

/** `commerce-mock serve` on a free port, once its banner is out. */
export async function serve(words = []) {
  const { child, ended } = start(['serve', '--port', '0', ...words])
  const url = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (more) => {
      text += more
      const found = /^ *API +(\S+)$/m.exec(text)?.[1]
      if (found) resolve(found)
    })
    ended.then(({ stderr }) => reject(new Error(`serve ended: ${stderr}`)), reject)
  })
  return {
    url,
    async stop() {
      child.kill('SIGINT')
      await ended
    },
  }
}

export const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]

export const say = (line) => process.stdout.write(`${line}\n`)
