/** The edits of a timeline as they grow: what somebody keeps is never changed, and what nobody keeps is changed in place. */
import { edit, withOrder, type KindEdits } from './edits.js'
import type { Kind, Row } from './population.js'

export type Edits = ReadonlyMap<Kind, KindEdits>

export interface Growing {
  /** For who reads them at once: the next write may change them. */
  passing(kind: Kind): KindEdits
  /** For who keeps them or reads them later: as they are now, for ever. */
  lasting(kind: Kind): KindEdits
  /** The same with an order by this key. */
  ordered(kind: Kind, key: string): KindEdits
  /** All as they are now, for ever. */
  all(): Edits
  /** Puts a row in the place of the old one of the same index, if there is one; null deletes. */
  write(kind: Kind, index: number, old: Row | undefined, row: Row | null): void
  goBackTo(edits: Edits): void
}

export function growing(first: Edits): Growing {
  let edits = new Map(first)
  // A new owner owns nothing: whatever was made before is copied before it is changed.
  let owner = {}

  const passing = (kind: Kind) => edits.get(kind) as KindEdits
  function lasting(kind: Kind): KindEdits {
    owner = {}
    return passing(kind)
  }
  return {
    passing,
    lasting,
    ordered(kind, key) {
      const before = lasting(kind)
      const now = withOrder(kind, before, key)
      if (now !== before) edits.set(kind, now)
      return now
    },
    all() {
      owner = {}
      return new Map(edits)
    },
    write(kind, index, old, row) {
      edits.set(kind, edit(kind, passing(kind), { index, old, row, owner }))
    },
    goBackTo(start) {
      edits = new Map(start)
    },
  }
}
