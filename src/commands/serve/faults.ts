/** Watches the file of `--faults`. */
import { readFileSync } from 'node:fs'
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
  // The first look compares with what the mock has read, so that no edit is lost.
  let text: string | undefined
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
  const timer = setInterval(look, 100).unref()
  return () => clearInterval(timer)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
