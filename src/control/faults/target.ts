/** A request that faults may hit. */
import type { Subject } from './subject.js'

export interface Target {
  readonly subject: Subject | 'picture'
  /** Whether its operation can be executed. */
  readonly isValid: boolean
  readonly variables: Readonly<Record<string, unknown>>
  /** Its bearer token, empty without one. */
  readonly token: string
  /** The time by the clock of the mock. */
  readonly now: number
  /** Milliseconds since a fixed moment. */
  readonly elapsed: number
}
