/** How far a seeding is: a bar on a terminal, elsewhere a line every few seconds. */
import type { Progress } from './index.js'

const barWidth = 24
const linesMs = 5000
const barMs = 100

/**
 * Gives what to write for a state of the run, if it is time for that. The rate counts from the first state on: before it,
 * what is there was looked through.
 */
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
    const left = rate > 0 ? `${timeOf((due - done) / rate)} left` : 'time left not known'
    const slower = slowed === 0 ? '' : `, slowed down ${slowed} ${slowed === 1 ? 'time' : 'times'}`
    const words = `${done} of ${due}, ${Math.round(rate)} a second, ${left}${slower}`
    if (!terminal) return `${words}\n`
    const filled = Math.round((done / Math.max(1, due)) * barWidth)
    return `\r[${'#'.repeat(filled)}${'.'.repeat(barWidth - filled)}] ${words}\x1b[K`
  }
}

function timeOf(seconds: number): string {
  const whole = Math.ceil(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} m ${whole % 60} s`
}
