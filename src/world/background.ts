/** Runs work in slices, so that requests do not wait for it. */

export interface Work {
  /** Does one slice. Returns false when nothing is left to do. */
  step(): boolean
}

export interface Background {
  /** Queues work for idle time. */
  add(work: Work): void
  /** Does this work before all other work. Rejects with what a slice throws. */
  finish(work: Work): Promise<void>
}

interface Waiter {
  readonly work: Work
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** `defer` calls its argument after other events were handled: setImmediate, or a test that runs slices one by one. */
export function createBackground(defer: (slice: () => void) => void): Background {
  const queue = new Set<Work>()
  let waiters: Waiter[] = []
  let isRunning = false

  function settle(work: Work, each: (waiter: Waiter) => void) {
    queue.delete(work)
    for (const waiter of waiters) if (waiter.work === work) each(waiter)
    waiters = waiters.filter((it) => it.work !== work)
  }

  function slice(): void {
    const [first] = queue
    const work = waiters[0]?.work ?? first
    isRunning = work !== undefined
    if (!work) return
    try {
      if (!work.step()) settle(work, ({ resolve }) => resolve())
    } catch (error) {
      settle(work, ({ reject }) => reject(error))
    }
    defer(slice)
  }

  function add(work: Work): void {
    queue.add(work)
    if (isRunning) return
    isRunning = true
    defer(slice)
  }

  return {
    add,
    finish: (work) =>
      new Promise((resolve, reject) => {
        waiters.push({ work, resolve, reject })
        add(work)
      }),
  }
}

/** Does all of the work at once. */
export function finishNow(work: Work): void {
  while (work.step());
}
