/** Work that is done in slices, so that nothing else waits long for it. */

export interface Work {
  /** Does a slice of it. False when there is nothing left to do. */
  step(): boolean
}

export interface Background {
  /** Takes on work for when there is nothing more urgent. */
  add(work: Work): void
  /**
   * Does this work before all other until there is a result, and the rest of it later. At least one slice is done first,
   * so that who asks again and again comes to the end of it. Rejects with what a slice throws.
   */
  until<Result>(work: Work, result: () => Result | undefined): Promise<Result>
}

interface Waiting {
  readonly work: Work
  /** Tells whoever waits, if there is something to tell. */
  look(): boolean
  fail(error: unknown): void
}

/** `later` calls what it is given when others had their turn: setImmediate, or a test that goes step by step. */
export function createBackground(later: (slice: () => void) => void): Background {
  let queue: Work[] = []
  let waiting: Waiting[] = []
  let running = false

  function slice(): void {
    const work = waiting[0]?.work ?? queue[0]
    running = work !== undefined
    if (!work) return
    try {
      if (!work.step()) queue = queue.filter((it) => it !== work)
    } catch (error) {
      queue = queue.filter((it) => it !== work)
      for (const it of waiting) if (it.work === work) it.fail(error)
      waiting = waiting.filter((it) => it.work !== work)
    }
    waiting = waiting.filter((it) => !it.look())
    later(slice)
  }

  function start(): void {
    if (running) return
    running = true
    later(slice)
  }

  function add(work: Work): void {
    if (!queue.includes(work)) queue.push(work)
    start()
  }

  return {
    add,
    until<Result>(work: Work, result: () => Result | undefined) {
      return new Promise<Result>((resolve, reject) => {
        const look = () => {
          const found = result()
          if (found === undefined) return false
          resolve(found)
          return true
        }
        waiting.push({ work, look, fail: reject })
        add(work)
      })
    },
  }
}

/** All the work at once, for who cannot wait. */
export function finish(work: Work): void {
  while (work.step());
}
