/** Watches the file of `--faults`. */
import { readFileSync, watch } from 'node:fs'
import { dirname, resolve } from 'node:path'
import type { Mock } from '../../mock/create-mock.js'

interface Watched {
  readonly mock: Pick<Mock, 'faultFile'>
  readonly onWarning: (line: string) => void
}

/** Takes the faults of the file after each edit. Returns a function that ends it. */
export function watchFaults({ mock: { faultFile }, onWarning }: Watched): () => void {
  const { path, reload } = faultFile
  if (path === undefined) return () => {}
  return watchFile(path, {
    onWarning,
    onChange() {
      try {
        reload()
      } catch (error) {
        onWarning(`Faults not changed. The file has mistakes:\n${(error as Error).message}`)
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
 * Calls `onChange` after the text of a file has changed. The folder is watched, because editors replace the file, and
 * Kubernetes a folder that it links to. Returns a function that ends it.
 */
function watchFile(path: string, { onChange, onWarning }: WatchOptions): () => void {
  let text = textOf(path)
  let timer: NodeJS.Timeout | undefined
  const look = () => {
    timer = undefined
    const now = textOf(path)
    // It is gone for a moment while it is replaced.
    if (now === undefined || now === text) return
    text = now
    onChange()
  }
  try {
    // A timer that runs is left alone, because another file of the folder may change all the time.
    const watcher = watch(dirname(resolve(path)), { persistent: false }, () => (timer ??= setTimeout(look, quietMs)))
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
