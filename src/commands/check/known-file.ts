/** The file of `--known`: which failures of a server are known, and how much its checks weigh. */
import * as z from 'zod'
import { keyOf, type FindingIdentity } from '../../contract/identity.js'
import {
  matchesPattern,
  goneIn,
  knownId,
  severities,
  type KnownFailure,
  type ListedFailure,
  type SeverityRule,
} from '../../contract/known.js'
import type { Report, ReportedFinding, Result } from '../../contract/report.js'
import { readInstant } from '../../shared/time.js'
import { isObject } from '../../shared/json.js'
import { alternatives, mistakeLines, suggestion, validated, type Mistake, type Path } from '../../shared/mistakes.js'
import { sanitize } from '../../shared/text.js'
import { yamlText } from '../../world-files/parse.js'
import { fileYaml, UsageError } from '../options.js'

const text = z.string().min(1, 'must not be empty')

/** One entry is a known failure, or sets the severity of checks. */
export const knownFile = z.array(
  z.union(
    alternatives(
      z.strictObject({
        check: text.describe('The id of the check that fails.'),
        code: text.describe('The code of its finding.'),
        at: text.describe('The schema coordinate or operation where it was seen, as the reports show it.'),
        order: text.describe('The order of the list, if it is not the default one.').optional(),
        reason: text.describe('Why it is known: a ticket, a decision.'),
        owner: text.describe('Who fixes it.').optional(),
        until: z
          .string()
          .regex(/^\d{4}-\d\d-\d\d$/, { abort: true, error: 'must be a day such as 2026-12-31' })
          .refine((it) => readInstant(it) !== undefined, 'must be a day such as 2026-12-31')
          .describe('The last day on which it is known, in UTC. After it, the failure counts again.')
          .optional(),
      }),
      z.strictObject({
        check: text.describe('The id of a check; * stands for any part.'),
        severity: z.enum(severities).describe('How its findings count. off leaves the check out.'),
      }),
    ),
  ),
)

/** A known failure, or the severity of checks. */
export type KnownEntry = KnownFailure | SeverityRule

export interface Known {
  readonly known: readonly ListedFailure[]
  readonly severity: readonly SeverityRule[]
}

/**
 * Reads a file, or takes its entries. Throws an Error with one line for each mistake.
 * @param ids of all checks
 */
export function readKnown(given: string | readonly KnownEntry[], ids: readonly string[]): Known {
  const file = typeof given === 'string' ? fileYaml('--known', given) : { data: given, placeOf: () => 'known' }
  // A file with nothing but comments lists nothing.
  const data = file.data ?? []
  const placeOf = (path: Path) => [file.placeOf(path), z.core.toDotPath([...path])].filter(Boolean).join(' ')
  const refuse = (mistakes: readonly Mistake[]) => {
    if (mistakes.length > 0) throw new UsageError(mistakeLines(mistakes, placeOf))
  }
  refuse(shapelessIn(data))
  const entries: readonly KnownEntry[] = validated(knownFile, data, placeOf, UsageError)
  refuse([...unknownIn(entries, ids), ...repeatedIn(entries)])
  return {
    known: entries.flatMap((it, at) => ('severity' in it ? [] : [{ ...it, place: file.placeOf([at]) }])),
    severity: entries.flatMap((it) => ('severity' in it ? [it] : [])),
  }
}

const shapelessIn = (data: unknown): readonly Mistake[] => {
  if (!Array.isArray(data)) return [{ path: [], text: 'must be a list of entries.' }]
  const text = 'must be an entry with check, code, at and reason.'
  return data.flatMap((it, at) => (isObject(it) ? [] : [{ path: [at], text }]))
}

/** The checks of `--documents` may be others, or none, in another run. */
const isOfDocuments = (id: string) => id.startsWith('document-')

const unknownIn = (entries: readonly KnownEntry[], ids: readonly string[]): readonly Mistake[] =>
  entries.flatMap((it, at) => {
    const { check } = it
    // Only a severity is for many checks.
    const isKnown = 'severity' in it ? ids.some((id) => matchesPattern(id, check)) : ids.includes(check)
    if (isKnown || isOfDocuments(check)) return []
    return [{ path: [at, 'check'], text: `is unknown. ${suggestion(check, ids)}` }]
  })

function repeatedIn(entries: readonly KnownEntry[]): readonly Mistake[] {
  const firsts = new Map<string, number>()
  return entries.flatMap((it, at) => {
    if ('severity' in it) return []
    const first = firsts.get(keyOf(it))
    if (first !== undefined) return [{ path: [at], text: `lists the same failure as [${first}]. Delete one.` }]
    firsts.set(keyOf(it), at)
    return []
  })
}

export interface SaveOptions {
  /** What was listed before. */
  readonly known?: readonly ListedFailure[] | undefined
  readonly strict?: boolean | undefined
  /** The day of the run in UTC. */
  readonly today: string
}

/**
 * What fails today. Entries that are still right, or that the run could not judge, stay as they are. Those that are past
 * their last day and still fail are `renewed`: they have no last day any more.
 */
export function entriesToSave(
  { results }: Pick<Report, 'results'>,
  { known = [], strict = false, today }: SaveOptions,
): { readonly entries: readonly KnownFailure[]; readonly renewed: number } {
  const gone = new Set(goneIn(results, known).map(keyOf))
  const entries = new Map<string, KnownFailure>(known.flatMap((it) => (gone.has(keyOf(it)) ? [] : [[keyOf(it), it]])))
  let renewed = 0
  for (const result of results) {
    for (const { code, at, order, sentence } of result.findings.filter((it) => isFailing(result, it, strict))) {
      const identity = { check: result.id, code, at, order }
      const before = entries.get(keyOf(identity))
      if (before) renewed += 1
      const { reason = `Found on ${today}: ${sanitize(sentence, maxReason)}`, owner } = before ?? {}
      entries.set(keyOf(identity), { ...identity, reason, owner })
    }
  }
  return { entries: [...entries.values()].sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1)), renewed }
}

/** The same as a file. */
export const knownText = (failures: readonly KnownFailure[], severity: readonly SeverityRule[] = []): string =>
  `${head}\n${yamlText([...severity, ...failures.map(asWritten)])}`

const maxReason = 200

const head = [
  '# yaml-language-server: $schema=./node_modules/commerce-mock/fixtures/known.schema.json',
  '# Failures that do not fail a run: see docs/check.md.',
].join('\n')

const textOf = ({ check, code, at, order = '' }: FindingIdentity) => [check, code, at, order].join('\n')

/** Without the place in the old file. */
function asWritten(failure: KnownFailure & Partial<ListedFailure>): KnownFailure {
  const { place: _, ...entry } = failure
  return entry
}

/** Whether a finding fails the run, or would without an earlier report. */
function isFailing({ id, severity }: Result, { basis, known }: ReportedFinding, strict: boolean): boolean {
  if (known?.by === '--known' || id === knownId || severity === 'notice') return false
  return basis.kind !== 'assumed' || severity === 'failure' || strict
}
