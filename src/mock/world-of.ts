/** Reads worlds of this service from the disk. */
import { worldsOnDisk } from '../world-files/on-disk.js'
import { createWorldReader } from '../world-files/world-files.js'
import { worldRules, type WorldFile } from './world-file.js'

/** The world of a name, a path or data. Throws an Error with one line for each mistake. */
export const worldOf = createWorldReader<WorldFile>(worldRules, worldsOnDisk)
