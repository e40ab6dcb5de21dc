/** Targets whose reads are stale for some time after a write. */
import type { Answer, Target } from '../../src/client/target.js'
import type { Wrap } from './mutant.js'
import { mutationsIn } from './mutation-rules.js'

type Joined = (target: Target, replica: Target) => Target

/** Reads come from a second world that gets each write some milliseconds later. */
export const lagging =
  (ms: number): Joined =>
  (target, replica) =>
    readFrom(target, replica, ms, () => true)

/** Every other read is stale, so what one read shows, the next may not. */
export const takingTurns =
  (ms: number): Joined =>
  (target, replica) => {
    let reads = 0
    return readFrom(target, replica, ms, () => (reads += 1) % 2 === 0)
  }

function readFrom(target: Target, replica: Target, ms: number, isLate: () => boolean): Target {
  let behind = Promise.resolve()
  const due: { readonly at: number; readonly tell: () => Promise<unknown> }[] = []
  const catchUp = () =>
    (behind = behind.then(async () => {
      while ((due[0]?.at ?? Infinity) <= performance.now()) await due.shift()?.tell()
    }))
  return {
    ...target,
    async send(request, options) {
      if (mutationsIn(request.query).length > 0) {
        const answer = await target.send(request, options)
        due.push({ at: performance.now() + ms, tell: () => replica.send(request) })
        return answer
      }
      await catchUp()
      return (isLate() ? replica : target).send(request, options)
    },
  }
}

/** Caches the answer to each read for some milliseconds, so some reads are stale and others not. */
export const repeating =
  (ms: number): Wrap =>
  (target) => {
    const answers = new Map<string, { readonly at: number; readonly answer: Promise<Answer> }>()
    return {
      ...target,
      send(request, options) {
        if (mutationsIn(request.query).length > 0) return target.send(request, options)
        const key = JSON.stringify([request.query, request.variables])
        const known = answers.get(key)
        if (known && performance.now() - known.at < ms) return known.answer
        const answer = target.send(request, options)
        answers.set(key, { at: performance.now(), answer })
        return answer
      },
    }
  }
