/** Shows how far a command is: a live line on a terminal, otherwise a line every ten seconds. */

export interface Progress {
  readonly done: number
  readonly due: number
  /** What is counted, such as `checks`. */
  readonly unit: string
  /** What else is worth saying. */
  readonly notes: readonly string[]
}

/** Where it is shown: stderr. */
export interface ProgressStream {
  readonly columns?: number | undefined
  write(text: string): unknown
}

interface ProgressOptions {
  /** Whether a line can be drawn over. */
  readonly live: boolean
  readonly now: () => number
}

const barWidth = 24
const liveMs = 100
const linesMs = 10_000
const erase = '\r\x1b[K'

export function createProgress(stream: ProgressStream, { live, now }: ProgressOptions) {
  const every = live ? liveMs : linesMs
  let read: (() => Progress) | undefined
  let first: { readonly at: number; readonly done: number } | undefined
  let last = 0
  let drawn = ''
  let timer: NodeJS.Timeout | undefined

  function draw(): void {
    const at = now()
    if (!read || !first || at - last < every) return
    last = at
    const state = read()
    const text = progressText(state, (state.done - first.done) / Math.max(1, at - first.at))
    if (!live) return void stream.write(`${text}\n`)
    drawn = `${bar(state)} ${text}`.slice(0, (stream.columns || 80) - 1)
    stream.write(`${erase}${drawn}`)
  }

  return {
    /** Shows the state now and then, if it does not change, too. The rate counts from the first one. */
    show(state: () => Progress): void {
      read = state
      first ??= { at: (last = now()), done: state().done }
      timer ??= setInterval(draw, every).unref()
      draw()
    },
    /** Writes a line above the live line. */
    print(line: string): void {
      stream.write(drawn === '' ? `${line}\n` : `${erase}${line}\n${drawn}`)
    },
    /** Removes the live line for good. */
    end(): void {
      clearInterval(timer)
      if (drawn !== '') stream.write(erase)
      drawn = ''
    },
  }
}

function progressText({ done, due, unit, notes }: Progress, perMs: number): string {
  const perSecond = Math.round(perMs * 1000)
  const rate = perSecond > 0 ? [`${perSecond} per second`] : []
  const left = perMs > 0 ? [`${duration((due - done) / perMs / 1000)} left`] : []
  return [`${done} of ${due} ${unit}`, ...notes, ...rate, ...left].join(', ')
}

function bar({ done, due }: Progress): string {
  const filled = Math.round((done / Math.max(1, due)) * barWidth)
  return `[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}]`
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} m ${whole % 60} s`
}
