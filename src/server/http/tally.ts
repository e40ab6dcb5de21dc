/** Many events of one kind, told in few lines. */

export interface Tally {
  /** Takes an event. */
  add(): void
  /** Tells at once what is not told yet. */
  end(): void
}

const second = 1000

/**
 * The first event is told at once. Those of the second that follows are told together at its end, with their count, and so
 * on, until a second has none; then the next event is a first one again. So nothing waits long and nothing is lost, and
 * however many come, there is a line a second.
 */
export function createTally(tell: (count: number) => void): Tally {
  let untold = 0
  let waiting: NodeJS.Timeout | undefined

  function wait(): void {
    // A server that ends must not wait for this; it calls `end`.
    waiting = setTimeout(goOn, second).unref()
  }

  function goOn(): void {
    waiting = undefined
    if (untold === 0) return
    wait()
    tellRest()
  }

  function tellRest(): void {
    const count = untold
    untold = 0
    if (count > 0) tell(count)
  }

  return {
    add() {
      untold += 1
      if (waiting) return
      wait()
      tellRest()
    },
    end() {
      clearTimeout(waiting)
      waiting = undefined
      tellRest()
    },
  }
}
