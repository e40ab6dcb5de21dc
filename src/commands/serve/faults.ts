/** Watches the file of `--faults`. */
import { readFileSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { readFaults } from '../../control/faults/rules.js'
import type { Mock } from '../../mock/create-mock.js'
import { givenFaults } from '../../mock/faults.js'
import { faultsOf } from '../../mock/files/on-disk.js'
import type { ServeOptions } from './options.js'

interface Watched {
  readonly mock: Mock
  readonly options: Pick<ServeOptions, 'delay' | 'faults'>
  readonly onWarning: (line: string) => void
}

/** Sets the faults of the base session anew after each edit of their file. Returns a function that ends it. */
export function watchFaults({ mock, options, onWarning }: Watched): () => void {
  const { file, path } = givenFaults(options, faultsOf)
  if (path === undefined) return () => {}
  const ofScenario = mock.faults.list().slice(file.length)
  return watchFile(path, {
    onWarning,
    onChange() {
      try {
        const { file: faults, placeOf } = givenFaults(options, faultsOf)
        readFaults(faults, mock.schema, placeOf)
        mock.faults.set([...faults, ...ofScenario])
      } catch (error) {
        onWarning(`The faults stay as they were:\n${(error as Error).message}`)
      }
    },
  })
}

interface WatchOptions {
  readonly onChange: () => void
  readonly onWarning: (line: string) => void
}

/** Editors write a file in several steps. */
const quietMs = 50

/**
 * Calls `onChange` after the text of a file has changed. The folder is watched, because editors replace the file. Returns a
 * function that ends it.
 */
function watchFile(path: string, { onChange, onWarning }: WatchOptions): () => void {
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
