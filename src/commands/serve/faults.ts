/** Watches the file of `--faults`. */
import { unwatchFile, watchFile, type Stats } from 'node:fs'
import type { Mock } from '../../mock/create-mock.js'
import { isSpecial } from '../../shared/files.js'
import { countOf } from '../../shared/text.js'

interface Watched {
  readonly mock: Pick<Mock, 'faultFile'>
  readonly onWarning: (line: string) => void
}

/**
 * Takes the faults of the file after each edit. Polls the file, because editors replace it, tools replace its folder, and
 * Kubernetes what it links to. Returns a function that ends it.
 */
export function watchFaults({ mock: { faultFile }, onWarning }: Watched): () => void {
  const { path, reload } = faultFile
  // A pipe can only be read once.
  if (path === undefined || isSpecial(path)) return () => {}
  const update = () => {
    try {
      const count = reload()
      if (count !== undefined) onWarning(`${path} was read again: ${countOf(count, 'fault')}.`)
    } catch (error) {
      onWarning(`Faults not changed. The file has mistakes:\n${(error as Error).message}`)
    }
  }
  const onChange = ({ nlink }: Stats) => {
    // It is gone for a moment while it is replaced.
    if (nlink > 0) update()
  }
  watchFile(path, { interval: 100, persistent: false }, onChange)
  // It may have changed since the mock read it.
  update()
  return () => unwatchFile(path, onChange)
}
