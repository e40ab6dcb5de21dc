/** Work in slices, so that requests do not wait for it. */

/** A slow computation. The generator yields after each slice. */
export class Work<Result> {
  /** Undefined until the work is done. */
  result: Result | undefined
  readonly #start: () => Generator<undefined, Result>
  #slices: Generator<undefined, Result> | undefined

  constructor(start: () => Generator<undefined, Result>) {
    this.#start = start
  }

  /** Does one slice. Returns false when nothing is left to do. */
  step(): boolean {
    if (this.result !== undefined) return false
    const slices = this.#slices ?? this.#start()
    // If a slice throws, the next step starts again.
    this.#slices = undefined
    const { done, value } = slices.next()
    if (done) this.result = value
    else this.#slices = slices
    return !done
  }

  /** Does the rest at once. */
  finish(): Result {
    while (this.step());
    return this.result as Result
  }
}

export type Background = ReturnType<typeof createBackground>

interface Job {
  readonly work: Work<unknown>
  readonly resolve?: () => void
  readonly reject?: (error: unknown) => void
}

/** `defer` calls its argument after other events were handled: setImmediate, or a test that runs slices one by one. */
export function createBackground(defer: (slice: () => void) => void) {
  const urgent: Job[] = []
  const idle: Job[] = []
  let isRunning = false

  function slice(): void {
    const queue = urgent.length > 0 ? urgent : idle
    const [job] = queue
    isRunning = job !== undefined
    if (!job) return
    defer(slice)
    try {
      if (job.work.step()) return
      job.resolve?.()
    } catch (error) {
      job.reject?.(error)
    }
    queue.shift()
  }

  function add(queue: Job[], job: Job): void {
    queue.push(job)
    if (isRunning) return
    isRunning = true
    defer(slice)
  }

  return {
    /** Queues work for idle time. */
    add: (work: Work<unknown>) => add(idle, { work }),
    /** Does this work before that of `add`. Rejects with what a slice throws. */
    finish: (work: Work<unknown>) => new Promise<void>((resolve, reject) => add(urgent, { work, resolve, reject })),
  }
}
