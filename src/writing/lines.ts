/** The lines of a file, one after the other, so that a file of any size takes no memory. */
import { closeSync, openSync, readSync } from 'node:fs'

export interface Line {
  readonly text: string
  /** Its number, counted from 1. */
  readonly at: number
  /** How many bytes of the file end with it. */
  readonly end: number
}

const chunkBytes = 256 * 1024
const newline = 10

/** The lines that end in a line feed. What comes after the last one was torn. */
export function* wholeLines(path: string): Generator<Line> {
  const file = openSync(path, 'r')
  try {
    const chunk = Buffer.allocUnsafe(chunkBytes)
    let rest = Buffer.alloc(0)
    let at = 0
    let end = 0
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      const bytes = Buffer.concat([rest, chunk.subarray(0, read)])
      let from = 0
      for (let to = bytes.indexOf(newline); to >= 0; to = bytes.indexOf(newline, from)) {
        at += 1
        end += to + 1 - from
        yield { text: bytes.toString('utf8', from, to), at, end }
        from = to + 1
      }
      rest = bytes.subarray(from)
    }
  } finally {
    closeSync(file)
  }
}
