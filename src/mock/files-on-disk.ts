/** Reads worlds, faults and scenarios from the disk. */
import { filesOnDisk } from '../world-files/on-disk.js'
import { createFileReaders } from './files.js'
import { worldOf } from './world-of.js'

export const { faultsOf, scenarioOf } = createFileReaders(worldOf, filesOnDisk)
