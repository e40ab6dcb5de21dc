/** Watches the file of `--faults`. */
import { readFileSync, unwatchFile, watchFile } from 'node:fs'
import type { Mock } from '../../mock/create-mock.js'
import { countOf } from '../../shared/text.js'

interface Watched {
  readonly mock: Pick<Mock, 'faultFile'>
  readonly onWarning: (line: string) => void
}

/**
 * Takes the faults of the file after each edit. It is looked at again and again, because editors replace it, tools replace
 * its folder, and Kubernetes what it links to. Returns a function that ends it.
 */
export function watchFaults({ mock: { faultFile }, onWarning }: Watched): () => void {
  const { path, reload } = faultFile
  if (path === undefined) return () => {}
  let text = textOf(path)
  const look = () => {
    const now = textOf(path)
    // It is gone for a moment while it is replaced.
    if (now === undefined || now === text) return
    text = now
    try {
      const count = reload()
      if (count !== undefined) onWarning(`${path} was read again: ${countOf(count, 'fault')}.`)
    } catch (error) {
      onWarning(`Faults not changed. The file has mistakes:\n${(error as Error).message}`)
    }
  }
  watchFile(path, { interval: 100, persistent: false }, look)
  return () => unwatchFile(path, look)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
