/** When things happened: records are made evenly over the two years before the world starts. */
import type { Birth } from '../src/world/definition.js'
import type { Draw } from '../src/world/rng.js'
import { serviceError } from '../src/shared/service-error.js'
import type { Context } from './context.js'
import { day, timeStamp, type TimeStampArguments } from './relative-time.js'
import type { World } from '../src/world/world.js'

const span = 2 * 365 * day

export const wholeSecond = (instant: number) => Math.floor(instant / 1000) * 1000

/** Slot `index` of `count` equal ones, so that created_at never falls from one index to the next. */
export const drawCreatedAt = (draw: Draw, row: { index: number }, { count, start }: Birth): number =>
  wholeSecond(start - span + (span * Math.min(row.index + draw.next(), count)) / Math.max(count, 1))

/** From created_at to the start of the world, more often soon after the former. */
export const drawUpdatedAt = (draw: Draw, row: { created_at: number }, { start }: Birth): number =>
  wholeSecond(row.created_at + Math.max(start - row.created_at, 0) * draw.next() ** 2)

/** Sort keys of the two times. */
export const timeKeys = {
  created_at: { value: (row: { created_at: number }) => row.created_at, rank: 'index' as const },
  updated_at: {
    value: (row: { updated_at: number }) => row.updated_at,
    rank: (row: { updated_at: number }, { start }: Birth) => (row.updated_at - wholeSecond(start - span)) / 1000,
  },
}

export interface Times {
  readonly created_at: number
  readonly updated_at: number
}

/** The times that a row gives. One without the time of a change was not changed since it was made. */
export const timesOf = ({ created_at, updated_at }: { [Name in keyof Times]?: number | undefined }) => ({
  created_at,
  updated_at: updated_at ?? created_at,
})

type Timed = Times & { readonly $world: World }

/** Resolvers of the two times: worded when they are read. */
export const timeFields = {
  created_at: (record: Timed, args: TimeStampArguments, _context: Context) => wording(record, record.created_at, args),
  updated_at: (record: Timed, args: TimeStampArguments, _context: Context) => wording(record, record.updated_at, args),
}

/** Longer than any pattern that a person reads. What a pattern costs and gives grows with it, for each record. */
const longestFormat = 100

function wording({ $world }: Timed, time: number, args: TimeStampArguments): string {
  if ((args.format?.length ?? 0) > longestFormat)
    throw serviceError('BAD_INPUT', `A format has at most ${longestFormat} characters. Send a shorter one.`)
  return timeStamp(time, $world.clock.now(), args)
}
