/** The report as JSON. The version of its schema changes when a member is renamed or removed, or an outcome is added. */
import type { Report } from '../report.js'
import { safeJson } from './lines.js'

export const schemaVersion = 2

/** The escape of a surrogate without its pair, which many JSON parsers reject. */
const lone = /(?<!\\)((?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g

export function jsonReport({ results, ...head }: Report): string {
  const rounded = results.map((it) => ({ ...it, ms: Math.round(it.ms) }))
  const whole = { schemaVersion, ...head, ms: Math.round(head.ms), results: rounded }
  return `${safeJson(JSON.parse(JSON.stringify(whole).replace(lone, '$1\\ufffd')), 2)}\n`
}
