/** The faults of `serve`: those of `--delay`, then those of `--faults`, whose file is watched, then those of the scenario. */
import { readFileSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Fault } from '../../control/faults/definition.js'
import { faultsOf } from '../../mock/files-on-disk.js'
import type { ServeOptions } from './options.js'

export interface GivenFaults {
  readonly list: readonly Fault[]
  /** The file that holds them. */
  readonly path?: string | undefined
}

/** Throws an Error with one line for each mistake. */
export function readFaults({ delay, faults }: Pick<ServeOptions, 'delay' | 'faults'>): GivenFaults {
  const slow: Fault[] = delay === undefined ? [] : [{ name: '--delay', delay }]
  if (faults === undefined) return { list: slow }
  const { file, path } = faultsOf(faults)
  return { list: [...slow, ...file], path }
}

export interface WatchOptions {
  readonly onChange: () => void
  readonly onWarning: (line: string) => void
}

/** Editors write a file in several steps. */
const quietMs = 50

/**
 * Calls `onChange` after the text of a file has changed. The folder is watched, because editors replace the file. Returns a
 * function that ends it.
 */
export function watchFile(path: string, { onChange, onWarning }: WatchOptions): () => void {
  let text = textOf(path)
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    const now = textOf(path)
    // It is gone for a moment while it is replaced.
    if (now === undefined || now === text) return
    text = now
    onChange()
  }
  try {
    const watcher = watch(dirname(resolve(path)), { persistent: false }, () => {
      clearTimeout(timer)
      timer = setTimeout(look, quietMs)
    })
    const end = () => {
      clearTimeout(timer)
      watcher.close()
    }
    watcher.on('error', (error) => {
      onWarning(notWatched(path, error))
      end()
    })
    return end
  } catch (error) {
    onWarning(notWatched(path, error as Error))
    return () => {}
  }
}

const notWatched = (path: string, { message }: Error) =>
  `${path} cannot be watched, so restart the server after an edit: ${message}.`

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
