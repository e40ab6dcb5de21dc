/** Shows the progress of a seeding: a bar on a terminal, otherwise a line every few seconds. */

export interface Progress {
  readonly done: number
  readonly due: number
  readonly slowed: number
}

const barWidth = 24
const barMs = 100
const linesMs = 5000

/** Returns what to write for a state of the run, if it is time to. The rate counts from the first state. */
export function createProgress(terminal: boolean, now: () => number): (progress: Progress) => string | undefined {
  let first: { readonly at: number; readonly done: number } | undefined
  let last = 0
  return ({ done, due, slowed }) => {
    const at = now()
    if (!first) last = terminal ? -Infinity : at
    first ??= { at, done }
    if (at - last < (terminal ? barMs : linesMs)) return undefined
    last = at
    const rate = ((done - first.done) / Math.max(1, at - first.at)) * 1000
    const left = rate > 0 ? `${duration((due - done) / rate)} left` : 'time left unknown'
    const slower = slowed === 0 ? '' : `, slowed down ${slowed} ${slowed === 1 ? 'time' : 'times'}`
    const text = `${done} of ${due}, ${Math.round(rate)} per second, ${left}${slower}`
    if (!terminal) return `${text}\n`
    const filled = Math.round((done / Math.max(1, due)) * barWidth)
    return `\r[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${text}\x1b[K`
  }
}

function duration(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} m ${whole % 60} s`
}
