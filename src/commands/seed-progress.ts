/** How far a seeding is: a bar on a terminal, elsewhere a line every few seconds. */
import type { Progress } from './seed.js'

const barWidth = 24
const linesMs = 5000
const barMs = 100

/** Gives what to write for a state of the run, if it is time for that. */
export function createProgress(terminal: boolean, now: () => number): (progress: Progress) => string | undefined {
  const began = now()
  let last = terminal ? 0 : began
  return ({ done, due, slowed }) => {
    const at = now()
    if (at - last < (terminal ? barMs : linesMs)) return undefined
    last = at
    const rate = (done / Math.max(1, at - began)) * 1000
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
