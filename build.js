/** `npm run build`: the library file by file, and the command line in a few files, which node loads in half the time. */
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { rolldown } from 'rolldown'

const typescript = dirname(createRequire(import.meta.url).resolve('typescript/package.json'))
const { bin } = JSON.parse(readFileSync(join(typescript, 'package.json'), 'utf8'))

/** The licence of a package that is copied into the files: it must go with the copy. */
function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it))
  const text = file ? readFileSync(join(folder, file), 'utf8') : ''
  return `${name} ${version}, ${license}\n\n${text}`
}

const licences = {
  name: 'licences',
  generateBundle() {
    const packages = [...this.getModuleIds()].flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
    const texts = [...new Set(packages)].map(licenceOf).sort()
    this.emitFile({ type: 'asset', fileName: 'licences.txt', source: [...new Set(texts)].join('\n') })
  },
}

rmSync('dist', { recursive: true, force: true })
const { status } = spawnSync(process.execPath, [join(typescript, bin.tsc)], { stdio: 'inherit' })
if (status !== 0) process.exit(status ?? 1)
const bundle = await rolldown({
  input: { cli: 'dist/src/cli.js', 'graphiql-worker': 'dist/src/server/graphiql/graphiql-worker.js' },
  platform: 'node',
  // Nine megabytes, of which a thread needs some when it makes the page of GraphiQL.
  external: /^@graphql-yoga\/render-graphiql/,
  plugins: [licences],
})
// Errors are told apart by their names.
await bundle.write({ dir: 'dist/cli', format: 'esm', keepNames: true, chunkFileNames: '[name].js' })
await bundle.close()
// Also the one that was the command before: npx remembers where a folder had it.
for (const file of ['dist/cli/cli.js', 'dist/src/cli.js']) chmodSync(file, 0o755)
