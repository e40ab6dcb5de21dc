/** The times of records, spread evenly over the two years before the world starts, and how a query shows them. */
import type { Origin } from '../src/world/definition.js'
import type { Rng } from '../src/world/rng.js'
import { readTime } from '../src/shared/time.js'
import { serviceError } from '../src/shared/service-error.js'
import type { Context } from './context.js'
import { day, timeStamp, type TimeStampArguments } from './relative-time.js'

const span = 2 * 365 * day

export const wholeSecond = (instant: number) => Math.floor(instant / 1000) * 1000

/** In slot `index` of `count` equal slots, so created_at never decreases from one index to the next. */
export const drawCreatedAt = (rng: Rng, row: { index: number }, { count, start }: Origin): number =>
  wholeSecond(start - span + (span * Math.min(row.index + rng.next(), count)) / Math.max(count, 1))

/** Between created_at and the start of the world, more often soon after created_at. */
export const drawUpdatedAt = (rng: Rng, row: { created_at: number }, { start }: Origin): number =>
  wholeSecond(row.created_at + Math.max(start - row.created_at, 0) * rng.next() ** 2)

/** The sort keys of both times. */
export const timeKeys = {
  created_at: { value: (row: { created_at: number }) => row.created_at, rank: 'index' as const },
  updated_at: {
    value: (row: { updated_at: number }) => row.updated_at,
    rank: (row: { updated_at: number }, { start }: Origin) => (row.updated_at - wholeSecond(start - span)) / 1000,
  },
}

/** The times in a row of a world file: ISO 8601, or relative to the start of the world. */
export interface WrittenTimes {
  readonly created_at?: string | null | undefined
  readonly updated_at?: string | null | undefined
}

/** The times of a row of a world file. Without updated_at it was never changed. */
export function timesOf({ created_at: created, updated_at: updated = created }: WrittenTimes, start: number) {
  const [created_at, updated_at] = [created, updated].map((it) => (typeof it === 'string' ? readTime(it, start) : it))
  return { created_at, updated_at }
}

/** A pattern costs time and space for each record. No useful one is longer. */
const maxFormatLength = 100

/** Shows a stored instant: the format of every field of the type TimeStamp. */
export function formatTimeStamp(instant: unknown, args: TimeStampArguments, { world }: Context): string {
  if ((args.format?.length ?? 0) > maxFormatLength)
    throw serviceError('BAD_INPUT', `A format has at most ${maxFormatLength} characters. Send a shorter one.`)
  return timeStamp(instant as number, world.clock.now(), args)
}
