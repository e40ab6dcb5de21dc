/** Reads worlds, faults, scenarios and the countries of customers from the disk. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoize } from '../../shared/memoize.js'
import { packageFolder } from '../../shared/package.js'
import { filesOnDisk } from '../../world-files/on-disk.js'
import type { FakerTables } from '../../world/rng.js'
import { createLocaleReader } from './locales.js'
import { createFileReaders } from './readers.js'

export const { worldOf, faultsOf, scenarioOf } = createFileReaders(filesOnDisk)

const folder = () => join(packageFolder(), 'dist/locales')

export const localesOf = createLocaleReader({
  names: () => readdirSync(folder()).map((it) => it.replace(/\.json$/, '')),
  load: memoize((name) => JSON.parse(readFileSync(join(folder(), `${name}.json`), 'utf8')) as FakerTables),
})
