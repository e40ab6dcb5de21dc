/** Before anything is measured: builds what is in the folder above, unless that was done. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const isThere = (name) => existsSync(new URL(name, root))

function build() {
  if (isThere('dist/cli/cli.js')) return 0
  if (isThere('node_modules')) {
    return spawnSync('npm', ['run', '--silent', 'build'], { cwd: fileURLToPath(root), stdio: 'inherit' }).status ?? 1
  }
  process.stderr.write('commerce-mock is not built. Run `npm ci` in the folder above, then this again.\n')
  return 1
}

process.exitCode = build()
