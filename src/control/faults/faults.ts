/** The faults of a session: which of them happen to a request, and what they count. */
import { limiterAnswer, tokenAnswer, type Limiter, type Tokens } from './conditions.js'
import type { ParsedFault } from './definition.js'
import type { Fault } from './fault.js'
import type { Rule } from './rules.js'
import { goesOn, type Subject } from './subject.js'

/** A request that faults may hit. */
export interface Target {
  readonly subject: Subject | 'picture'
  readonly variables: Readonly<Record<string, unknown>>
  /** Its bearer token, empty without one. */
  readonly token: string
  /** The time by the clock of the mock. */
  readonly now: number
  /** Milliseconds since a fixed moment. */
  readonly elapsed: number
}

/** A list of ready-made faults that a request names. */
export interface NamedRules {
  readonly name: string
  readonly rules: readonly Rule[]
}

/** What is answered instead. */
export type Answer = Omit<ParsedFault, 'name' | 'on' | 'delay' | 'bytesPerSecond' | 'rateLimit' | 'tokenExpires'> & {
  /** What the body of a status says. */
  readonly message?: string
}

/** What happens to a request. */
export interface Plan {
  /** The name or the position of the fault that decides; of the first one if none does. */
  readonly fault: string | undefined
  /** Milliseconds. */
  readonly delay: number
  readonly bytesPerSecond: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly answer: Answer | undefined
  /** The fields that fail or are null. */
  readonly at: ReadonlySet<string>
}

/** A fault and what it has counted. */
interface Counted {
  readonly rule: Rule
  readonly label: string
  /** Requests that `on` matched. */
  matched: number
  happened: number
  readonly limiter: Limiter
  readonly tokens: Tokens
}

const countedOf = (rules: readonly Rule[], label = (rule: Rule) => rule.label): readonly Counted[] =>
  rules.map((rule) => ({
    rule,
    label: label(rule),
    matched: 0,
    happened: 0,
    limiter: { since: -Infinity, used: 0 },
    tokens: new Map(),
  }))

export class Faults {
  #own: readonly Counted[] = []
  readonly #named = new Map<string, readonly Counted[]>()
  /** Pages that were answered before: the cursor to repeat the last element of a page, by the cursor of its end. */
  readonly repeated = new Map<string, string>()

  get isEmpty(): boolean {
    return this.#own.length === 0
  }

  get rules(): readonly Rule[] {
    return this.#own.map(({ rule }) => rule)
  }

  /** As they were given. */
  list(): readonly Fault[] {
    return this.#own.map(({ rule }) => rule.given)
  }

  /** Replaces all faults. Their counters begin at 0. */
  set(rules: readonly Rule[]): void {
    this.#own = countedOf(rules)
    this.#named.clear()
    this.repeated.clear()
  }

  clear(): void {
    this.set([])
  }

  /** Decides and counts what happens to a request. Undefined if nothing does. */
  plan(target: Target, named: readonly NamedRules[] = []): Plan | undefined {
    const draft = new Draft()
    for (const counted of [...named.flatMap((it) => this.#countedOf(it)), ...this.#own]) draft.add(counted, target)
    return draft.plan()
  }

  #countedOf({ name, rules }: NamedRules): readonly Counted[] {
    let counted = this.#named.get(name)
    if (!counted) this.#named.set(name, (counted = countedOf(rules, ({ fault }) => fault.name ?? name)))
    return counted
  }
}

/** A plan while faults are added to it. */
class Draft {
  #first: string | undefined
  #deciding: string | undefined
  #answer: Answer | undefined
  #at: ReadonlySet<string> = new Set()
  #delay = 0
  #bytesPerSecond = Infinity
  readonly #headers: Record<string, string> = {}

  add(counted: Counted, target: Target): void {
    const { rule, label } = counted
    const { fault } = rule
    if (!rule.matches(target.subject)) return
    const isOnFirstPage =
      needsCursor(fault) && target.subject !== 'picture' && !goesOn(target.subject, target.variables)
    // It keeps what the next page repeats.
    if (isOnFirstPage && fault.list === 'repeats') this.#decide(rule, fault, label)
    if (isOnFirstPage) return
    const { skip = 0, times = Infinity } = fault.on ?? {}
    const n = (counted.matched += 1)
    if (n <= skip || counted.happened >= times || !rule.isDrawn(n)) return
    const isConditional = fault.rateLimit !== undefined || fault.tokenExpires !== undefined
    const answer = isConditional ? this.#rejection(counted, target) : fault
    if (!answer) return
    const decides = isConditional || answers.some((it) => fault[it] !== undefined)
    if (decides && this.#answer) return
    counted.happened += 1
    this.#first ??= label
    this.#delay += rule.delayOf(n)
    this.#bytesPerSecond = Math.min(this.#bytesPerSecond, fault.bytesPerSecond ?? Infinity)
    if (decides) this.#decide(rule, answer, label)
  }

  #decide({ at }: Rule, answer: Answer, label: string): void {
    if (this.#answer) return
    this.#answer = answer
    this.#at = at
    this.#deciding = label
  }

  #rejection({ rule: { fault }, limiter, tokens }: Counted, target: Target): Answer | undefined {
    if (fault.rateLimit === undefined) return tokenAnswer(fault, tokens, target)
    const { headers, answer } = limiterAnswer(fault.rateLimit, limiter, target.elapsed)
    Object.assign(this.#headers, headers)
    return answer
  }

  plan(): Plan | undefined {
    const headers = this.#headers
    if (this.#first === undefined && !this.#answer && Object.keys(headers).length === 0) return undefined
    return {
      fault: this.#deciding ?? this.#first,
      delay: this.#delay,
      bytesPerSecond: Number.isFinite(this.#bytesPerSecond) ? this.#bytesPerSecond : undefined,
      headers,
      answer: this.#answer,
      at: this.#at,
    }
  }
}

/** Whether a fault is about lists that go on. */
const needsCursor = ({ list }: ParsedFault) => list !== undefined && list !== 'endless'

const answers = ['error', 'null', 'status', 'contentType', 'connection', 'list'] as const
