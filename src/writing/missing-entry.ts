/** What is said of an entry of a ledger that nothing is seen of, and what becomes of it: one list of cases, first come first. */
import { sanitize } from '../shared/sanitize.js'
import type { Entry } from './ledger.js'
import { isKnown } from './write-kind.js'

export interface Absent {
  readonly entry: Entry
  /** Whether any operation takes such things away. */
  readonly undoable: boolean
  /** What is read under its id in place of the mark, if something is. */
  readonly text: string | undefined
  /** Why the lists were not searched to their end. */
  readonly problem: string | undefined
  /** Whether an object is shown under its id; undefined where that cannot be seen. */
  readonly shown: boolean | undefined
  /** Whether what is read is not of before the entry, or was looked for by an earlier clean-up too. */
  readonly sure: boolean
}

export interface Absence {
  readonly becomes?: 'undone' | 'left' | 'failed' | 'unseen'
  /** What somebody has to look at. */
  readonly doubt?: string
  /** What stays because nothing takes it away. */
  readonly left?: string
}

interface Case {
  readonly when: (it: Absent) => boolean
  readonly gives: (it: Absent) => Absence
}

export const worded = ({ id, kind, key: mark }: Entry): string =>
  `${id ?? 'Something'} of ${kind}, with the mark ${mark},`

const unsure = (words: string): Absence => ({
  becomes: 'unseen',
  doubt: `${words}, and nothing shows that what is read is not of before. Give the server time, and look again with --remove.`,
})

const other = ({ entry, text = '' }: Absent) => ({
  which: `${entry.id} of ${entry.kind} does not bear the mark ${entry.key}`,
  reads: `it reads “${sanitize(text)}”`,
})

/** Under an id that is known. */
const known: readonly Case[] = [
  {
    when: ({ text, undoable }) => text !== undefined && !undoable,
    gives: (it) => ({
      becomes: 'left',
      left: `${other(it).which} any more: ${other(it).reads}. No operation takes it away.`,
    }),
  },
  {
    when: ({ text }) => text !== undefined,
    gives: (it) => ({
      doubt: `${other(it).which} and is not touched: ${other(it).reads}. Look whether it is of somebody else; if not, take it away by hand.`,
    }),
  },
  {
    when: ({ shown, problem }) => shown === undefined && problem !== undefined,
    gives: ({ entry }) => ({
      doubt: `${worded(entry)} cannot be looked at, and is not touched. Look whether it was left behind.`,
    }),
  },
  { when: ({ sure, undoable }) => sure || !undoable, gives: () => ({ becomes: 'undone' }) },
  { when: () => true, gives: ({ entry }) => unsure(`${worded(entry)} is not seen`) },
]

/** Whose answer was lost, or was not believed. */
const unknown: readonly Case[] = [
  {
    when: ({ entry }) => entry.state === 'unproven',
    gives: ({ entry: { id, kind, key: mark } }) => ({
      doubt: `${id} was answered for something of ${kind} with the mark ${mark}, which the server does not show there; it is not touched. Look whether it was left behind.`,
    }),
  },
  // A refusal is believed where nothing is seen; silence is not.
  { when: ({ entry }) => entry.state === 'failed', gives: () => ({}) },
  {
    when: ({ problem }) => problem !== undefined,
    gives: ({ entry: { kind, key: mark }, problem }) => ({
      doubt: `Something of ${kind} with the mark ${mark} may have been made; ${problem}`,
    }),
  },
  { when: ({ sure }) => sure, gives: () => ({ becomes: 'failed' }) },
  {
    when: ({ entry }) => entry.state === 'intended',
    gives: ({ entry: { kind, key: mark } }) => ({
      becomes: 'unseen',
      doubt: `Something of ${kind} with the mark ${mark} may still be made: it is not seen, and no answer came, so that the server may be at work on it. Give it a minute, and look again with --remove.`,
    }),
  },
  {
    when: () => true,
    gives: ({ entry: { kind, key: mark } }) =>
      unsure(`Something of ${kind} with the mark ${mark} may have been made: it is not seen`),
  },
]

export const absenceOf = (it: Absent): Absence =>
  (isKnown(it.entry) ? known : unknown).find(({ when }) => when(it))?.gives(it) ?? {}
