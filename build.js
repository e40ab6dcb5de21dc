/**
 * `npm run build`: bundles what the package holds, and compiles every file into `dist/`. With `--if-stale`, only if a source
 * is newer. `npm run types` checks the types.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'
import { parse } from 'yaml'

const require = createRequire(import.meta.url)
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'))
const { dependencies, devDependencies, peerDependencies } = readJson('package.json')
const packages = (names) => Object.keys(names).map((name) => new RegExp(`^${name}(/|$)`))
/** What the library does not bundle: the packages that users install. */
const external = packages(dependencies)
const libraryExternal = [...external, ...packages(peerDependencies)]

/** The license of a package that is bundled: it must be shipped with the copy. */
function licenseOf(folder) {
  const { name, version, license } = readJson(join(folder, 'package.json'))
  const file = readdirSync(folder).find((it) => /^licen[cs]e/i.test(it))
  const text = file ? readFileSync(join(folder, file), 'utf8') : ''
  return `${name} ${version}, ${license}\n\n${text}`
}

/** Ships the licenses of bundled packages, and refuses to bundle development code. */
const contents = {
  name: 'contents',
  generateBundle() {
    const modules = [...this.getModuleIds()]
    const development = modules.filter((id) => /\.testkit\.|\.test\.|contracts\/mutants\//.test(id))
    if (development.length > 0) this.error(`Development code in the package: ${development.join(', ')}`)
    const packages = modules.flatMap((id) => /^.*\/node_modules\/(@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? [])
    const texts = [...new Set(packages)].map(licenseOf).sort()
    this.emitFile({ type: 'asset', fileName: 'licenses.txt', source: [...new Set(texts)].join('\n') })
  },
}

const readyFolders = ['worlds', 'faults', 'scenarios']

/** The content of the ready files of a folder, by name. */
function readyFiles(folder) {
  const names = readdirSync(folder).filter((it) => !it.endsWith('.schema.json'))
  // JSON is YAML.
  const contents = names.sort().map((it) => [it.replace(/\.\w+$/, ''), parse(readFileSync(join(folder, it), 'utf8'))])
  return Object.fromEntries(contents)
}

/** What the package reads from its folder in Node, as a module: a page has no files. */
const assets = {
  name: 'assets',
  resolveId: (id) => (id === 'virtual:assets' ? id : undefined),
  load(id) {
    if (id !== 'virtual:assets') return undefined
    const values = {
      version: readJson('package.json').version,
      schema: readFileSync('schema.graphql', 'utf8'),
      files: Object.fromEntries(readyFolders.map((it) => [it, readyFiles(join('fixtures', it))])),
    }
    return Object.entries(values)
      .map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
      .join('\n')
  },
}

/** Bundles everything but `external`. `keepNames`, because errors are told apart by their names. */
async function bundle({ input, dir, format, external = [], platform = 'node', minify = false, alias = {} }) {
  const build = await rolldown({
    input,
    platform,
    external,
    resolve: { alias, extensionAlias: { '.js': ['.ts', '.js'] } },
    plugins: [assets, contents],
    // Only the command loads parts when it needs them; the library is one file.
    checks: { ineffectiveDynamicImport: false },
  })
  const output = { keepNames: true, exports: 'named', chunkFileNames: '[name].js', dynamicImportInCjs: false, minify }
  await build.write({ dir, format, ...output })
  await build.close()
}

/** Compiles file by file: the declarations that are bundled below, and the modules that tests run in a separate process. */
async function compile() {
  const typescript = dirname(require.resolve('typescript/package.json'))
  const { bin } = readJson(join(typescript, 'package.json'))
  const compiler = spawn(process.execPath, [join(typescript, bin.tsc), '--noCheck'], { stdio: 'inherit' })
  const [status] = await once(compiler, 'exit')
  if (status !== 0) process.exit(status ?? 1)
}

/** Bundles the declarations of the public API: once, because the formats have the same. */
async function bundleTypes(input) {
  const declarations = Object.entries(input).map(([name, path]) => [name, `dist/${path.replace(/ts$/, 'd.ts')}`])
  const build = await rolldown({
    input: Object.fromEntries(declarations),
    external: [...libraryExternal, /^node:/],
    plugins: [dts({ dtsInput: true, tsconfig: false })],
    checks: { bundlerTimings: false },
  })
  // `await using` needs a library that a project does not have by default.
  const banner = '/// <reference lib="esnext.disposable" />'
  const { output } = await build.write({ dir: 'dist/esm', format: 'esm', chunkFileNames: '[name].d.ts', banner })
  await build.close()
  for (const { fileName } of output) cpSync(join('dist/esm', fileName), join('dist/cjs', fileName))
}

const partsOfAddress = /^(building_number|city_.*|postcode|secondary_address|state|(common_)?street_.*)$/

/** What a locale of faker says about another country, with what its language says. */
function tablesOf({ metadata, ...own }, { allLocales, mergeLocales }) {
  const { language } = metadata
  const { person = {}, location, phone_number } = mergeLocales([{ metadata, ...own }, allLocales[language] ?? {}])
  const country = metadata.country ?? new Intl.Locale(language).maximize().region
  const title = new Intl.DisplayNames([language], { type: 'region' }).of(country)
  const { first_name, last_name } = person
  const places = Object.fromEntries(Object.entries(location).filter(([name]) => partsOfAddress.test(name)))
  return { metadata: { title, country }, person: { first_name, last_name }, location: places, phone_number }
}

/** A file for each country, so that a world loads only those that it names. */
async function writeLocales() {
  // Takes half a second to load.
  const faker = await import('@faker-js/faker')
  mkdirSync('dist/locales', { recursive: true })
  for (const [name, locale] of Object.entries(faker.allLocales)) {
    const isCountry = locale.location?.postcode && locale.phone_number?.format?.international
    if (!isCountry || ['en', 'en_US', 'en_AU_ocker'].includes(name)) continue
    writeFileSync(`dist/locales/${name}.json`, JSON.stringify(tablesOf(locale, faker)))
  }
}

/** Renders the page of GraphiQL, with code of ours that Node cannot load before it is bundled. */
async function writeGraphiql() {
  const [dir, renderer] = ['dist/graphiql', '@graphql-yoga/render-graphiql']
  await bundle({
    input: { page: 'src/mock/graphiql-page.ts' },
    dir,
    format: 'esm',
    external: packages(devDependencies),
  })
  const { graphiqlPage } = await import(`./${dir}/page.js`)
  rmSync(`${dir}/page.js`)
  writeFileSync(`${dir}/page.html.gz`, gzipSync(graphiqlPage(readFileSync('schema.graphql', 'utf8'))))
  writeFileSync(`${dir}/licenses.txt`, licenseOf(dirname(require.resolve(`${renderer}/package.json`))))
}

/** Written last, so that a build that was interrupted is not taken for a whole one. */
const stamp = 'dist/built'

/** Whether nothing has changed since the last build. */
function isFresh() {
  if (!existsSync(stamp)) return false
  const inFolders = ['src', 'contracts', 'mocks', ...readyFolders.map((it) => join('fixtures', it))].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((it) => it.isFile())
      .map((it) => join(it.parentPath, it.name)),
  )
  const sources = ['build.js', 'package.json', 'package-lock.json', 'schema.graphql', 'tsconfig.json', ...inFolders]
  const built = statSync(stamp).mtimeMs
  return sources.every((path) => statSync(path).mtimeMs < built)
}

if (process.argv.includes('--if-stale') && isFresh()) process.exit(0)
rmSync('dist', { recursive: true, force: true })
const helper = (name) => `src/helpers/${name}.ts`
// What users import. Vitest is an ES module only.
const forBoth = { index: 'src/index.ts', msw: helper('msw'), playwright: helper('playwright') }
const forModules = { ...forBoth, vitest: helper('vitest') }
await Promise.all([
  // The command has its own copy of every package: a few files load faster than hundreds. As ES modules, unused parts of
  // graphql are left out.
  bundle({
    input: { cli: 'src/cli.ts' },
    dir: 'dist/cli',
    format: 'esm',
    alias: { graphql: join(dirname(require.resolve('graphql/package.json')), 'index.mjs') },
    minify: { compress: false, mangle: false, codegen: true },
  }),
  bundle({ input: forModules, dir: 'dist/esm', format: 'esm', external: libraryExternal }),
  bundle({ input: forBoth, dir: 'dist/cjs', format: 'cjs', external: libraryExternal }),
  bundle({
    input: { index: helper('browser') },
    dir: 'dist/browser',
    format: 'esm',
    external: packages(peerDependencies),
    platform: 'browser',
    minify: true,
  }),
  compile().then(() => bundleTypes({ ...forModules, browser: helper('browser') })),
  writeGraphiql(),
])
await writeLocales()
writeFileSync('dist/cjs/package.json', '{ "type": "commonjs" }\n')
chmodSync('dist/cli/cli.js', 0o755)
writeFileSync(stamp, '')
