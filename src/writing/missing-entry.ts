/** Decides how to report a ledger entry whose object cannot be found. The first case that applies wins. */
import { sanitize } from '../shared/sanitize.js'
import type { Entry } from './ledger.js'
import { isKnown } from './resource.js'

export interface MissingEntry {
  readonly entry: Entry
  /** Whether an operation can remove such objects. */
  readonly removable: boolean
  /** The text read under its id that should carry the tag. */
  readonly text?: string | undefined
  /** Why the list was not searched to its end. */
  readonly problem?: string | undefined
  /** Whether its id shows the tag. Undefined if the server does not let us see. */
  readonly shown?: boolean | undefined
  /** Whether the reads are known to be up to date, or an earlier cleanup missed it too. */
  readonly sure: boolean
}

export interface MissingOutcome {
  readonly becomes?: 'undone' | 'left' | 'failed' | 'unseen'
  /** What a person has to look at. */
  readonly unconfirmed?: string
  /** What stays because nothing can remove it. */
  readonly left?: string
}

type Case = readonly [when: (it: MissingEntry) => boolean, outcome: (it: MissingEntry) => MissingOutcome]

export const describeEntry = ({ id, kind, key }: Entry): string =>
  id === undefined ? `An object of ${kind} tagged ${key}` : `${id} of ${kind}, tagged ${key},`

const again = 'Run the cleanup again in a minute.'

const untagged = ({ entry: { id, kind, key }, text = '' }: MissingEntry): string =>
  `${id} of ${kind} no longer carries the tag ${key}: it reads “${sanitize(text)}”.`

const stale = ({ entry }: MissingEntry): MissingOutcome => ({
  becomes: 'unseen',
  unconfirmed: `${describeEntry(entry)} is not visible, but what the server shows may be out of date. ${again}`,
})

/** For an entry whose id is known. */
const known: readonly Case[] = [
  [
    ({ text, removable }) => text !== undefined && !removable,
    (it) => ({ becomes: 'left', left: `${untagged(it)} No operation removes it.` }),
  ],
  [
    ({ text }) => text !== undefined,
    (it) => ({ unconfirmed: `${untagged(it)} Left in place; delete it manually if it is not needed.` }),
  ],
  [
    ({ shown, problem }) => shown === undefined && problem !== undefined,
    ({ entry }) => ({
      unconfirmed: `${describeEntry(entry)} cannot be read. Left in place; check whether it still exists.`,
    }),
  ],
  [({ sure, removable }) => sure || !removable, () => ({ becomes: 'undone' })],
  [() => true, stale],
]

/** For an entry whose response was lost or not believed. */
const unknown: readonly Case[] = [
  [
    ({ entry }) => entry.state === 'unproven',
    ({ entry: { id, kind, key } }) => ({
      unconfirmed: `${id} was returned for a new object of ${kind} tagged ${key}, but does not show that tag. Left in place; check whether an object was left behind.`,
    }),
  ],
  // A rejection is believed if nothing is found; silence is not.
  [({ entry }) => entry.state === 'failed', () => ({})],
  [
    ({ problem }) => problem !== undefined,
    ({ entry, problem }) => ({ unconfirmed: `${describeEntry(entry)} may have been created: ${problem}` }),
  ],
  [({ sure }) => sure, () => ({ becomes: 'failed' })],
  [
    ({ entry }) => entry.state === 'intended',
    ({ entry }) => ({
      becomes: 'unseen',
      unconfirmed: `${describeEntry(entry)} may still be created: the server did not respond and may be working on it. ${again}`,
    }),
  ],
  [() => true, stale],
]

export function missingOutcome(it: MissingEntry): MissingOutcome {
  const found = (isKnown(it.entry) ? known : unknown).find(([when]) => when(it))
  return found?.[1](it) ?? {}
}
