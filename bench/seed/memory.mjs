/** Whether `seed` needs more memory at the end of a million rows than after a tenth of them. Linux, because it reads /proc. */
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { median, say, start } from './serving.mjs'

const rows = Number(process.argv[2] ?? 1_000_000)
const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-bench-'))
const ledger = join(folder, 'ledger.jsonl')
const stub = fork(fileURLToPath(new URL('stub.mjs', import.meta.url)), [String(rows)])
const url = await new Promise((resolve) => stub.once('message', resolve))

const words = ['--customers', String(rows), '--segments', '0', '--stores', '0', '--concurrency', '32']
const began = performance.now()
const { child, ended } = start(['seed', '--base-url', url, ...words, '--ledger', ledger])
const samples = []
stub.on('message', (sample) => samples.push(sample))
stub.send(child.pid)
const { code, stdout, stderr } = await ended
if (code !== 0) throw new Error(`seed ended with ${code}: ${stdout}${stderr}`)
const seconds = (performance.now() - began) / 1000
stub.disconnect()

const mib = (kib) => `${Math.round(kib / 1024)} MiB`
/** The median of the percent that ends there: at one moment, it matters whether the garbage was just taken out. */
const at = (part) => median(samples.filter((it) => it.part > part - 1 && it.part <= part).map(({ rssKib }) => rssKib))
const tenths = Array.from({ length: 10 }, (_, i) => (i + 1) * 10)
say(
  `${rows} customers into a stub that answers at once, ${Math.round(rows / seconds)} a second, ledger ${mib(statSync(ledger).size / 1024)}.`,
)
say(`Resident memory of seed: ${tenths.map((part) => `${part} %: ${mib(at(part))}`).join(', ')}`)
say(`100 % / 10 %: ${(at(100) / at(10)).toFixed(3)} (target: within 10 %)`)
rmSync(folder, { recursive: true })
