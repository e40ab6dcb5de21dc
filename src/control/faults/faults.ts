/** The faults of a session: which of them happen to a request, and what they count. */
import type { GraphQLSchema } from 'graphql'
import type { Path } from '../../shared/mistakes.js'
import { keyOf, stateOf } from '../../world/rng.js'
import { expireToken, limitRate, type Limiter, type Tokens } from './conditions.js'
import { effectNames } from './definition.js'
import type { Fault } from './fault.js'
import { readFaults, type ReadyFault, type IncomingRequest } from './rules.js'

/** A list of ready-made faults that a request names. */
export interface NamedFaults {
  readonly name: string
  readonly faults: readonly ReadyFault[]
}

/** What happens instead of the usual response. */
export type Effect = Omit<Fault, 'name' | 'on' | 'delay' | 'bytesPerSecond' | 'rateLimit' | 'tokenExpires'> & {
  /** What the body of a status says. */
  readonly message?: string
}

/** What happens to a request. */
export interface FaultDecision {
  /** The name or the position of the fault that decides; of the first one if none does. */
  readonly fault: string | undefined
  /** Milliseconds. */
  readonly delay: number
  readonly bytesPerSecond: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly effect: Effect | undefined
  /** The fields that fail or are null. */
  readonly at: ReadonlySet<string>
  /** Whether the page is remembered, because the next one may repeat its last element. */
  readonly keepsCursors: boolean
}

/** The faults of a session in the order in which they are asked. */
export interface FaultLists {
  /** What the options of the mock say. */
  readonly options: readonly ReadyFault[]
  /** What a scenario says, or a client. */
  readonly others: readonly ReadyFault[]
  /** Whether a client replaced those that the session began with. */
  readonly areSet: boolean
}

/** Returns a pure function that gives a number from 0 (included) to 1 (excluded) for the n-th request. */
export function createShare(what: string, seed: number): (n: number) => number {
  const key = keyOf(seed, what)
  return (n) => stateOf(key, n) / 2 ** 32
}

/** A fault in its list, and what it has counted. */
class Counted {
  readonly ready: ReadyFault
  /** The name of the fault, else that of its list, else its position there. */
  readonly label: string
  readonly #hitShare: (n: number) => number
  readonly #delayShare: (n: number) => number
  #matched = 0
  #happened = 0
  readonly #limiter: Limiter = { since: { elapsed: -Infinity, now: -Infinity }, used: 0 }
  readonly #tokens: Tokens = new Map()

  constructor(ready: ReadyFault, position: number, list?: string) {
    const { name, on: { seed } = {} } = ready.fault
    this.ready = ready
    this.label = name ?? list ?? String(position)
    // A seed hits the same requests wherever the fault stands.
    const place = seed === undefined ? ` ${list === undefined ? '' : `${list} `}${position}` : ''
    this.#hitShare = createShare(`share${place}`, seed ?? 1)
    this.#delayShare = createShare(`delay${place}`, seed ?? 1)
  }

  /** Counts a request that matches. Whether it is one of those that `on` chooses. */
  isDue(): boolean {
    const { skip = 0, times = Infinity, share = 1 } = this.ready.fault.on ?? {}
    const n = (this.#matched += 1)
    return n > skip && this.#happened < times && this.#hitShare(n) < share
  }

  /** The effect, unless the fault waits for more requests or time; with headers that every response has. */
  effectOn(request: IncomingRequest): {
    readonly effect: Effect | undefined
    readonly headers?: FaultDecision['headers']
  } {
    const { fault } = this.ready
    if (fault.rateLimit !== undefined) return limitRate(fault.rateLimit, this.#limiter, request)
    return { effect: fault.tokenExpires ? expireToken(fault.tokenExpires, this.#tokens, request) : fault }
  }

  /** Counts that the fault happens. Returns the delay in milliseconds. */
  happen(): number {
    const [min, max] = this.ready.delay
    this.#happened += 1
    return min + (max - min) * this.#delayShare(this.#matched)
  }
}

export class Faults {
  readonly #schema: GraphQLSchema
  #lists: FaultLists = { options: [], others: [], areSet: false }
  #counted: readonly Counted[] = []
  readonly #named = new Map<string, readonly Counted[]>()
  /** Pages that were answered before: the cursor to repeat the last element of a page, by the cursor of its end. */
  readonly repeated = new Map<string, string>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  get isEmpty(): boolean {
    return this.#counted.length === 0
  }

  get lists(): FaultLists {
    return this.#lists
  }

  /** As they were given. */
  list(): readonly Fault[] {
    return this.#counted.map(({ ready }) => ready.fault)
  }

  /** Begins with these faults. Counters begin at 0. */
  begin(lists: FaultLists): void {
    this.#lists = lists
    this.#counted = [...lists.options, ...lists.others].map((ready, position) => new Counted(ready, position))
    this.#named.clear()
    this.repeated.clear()
  }

  /** Replaces all faults. Throws an Error with one line for each mistake; `placeOf` says where that is. */
  set(faults: readonly Fault[], placeOf?: (path: Path) => string): void {
    this.begin({ options: [], others: readFaults(faults, this.#schema, placeOf), areSet: true })
  }

  /** Replaces what the options of the mock say. */
  setOptions(options: readonly ReadyFault[]): void {
    this.begin({ ...this.#lists, options })
  }

  clear(): void {
    this.set([])
  }

  /** Decides and counts what happens to a request. Undefined if nothing does. */
  decide(request: IncomingRequest, named: readonly NamedFaults[] = []): FaultDecision | undefined {
    const all = [...named.flatMap((it) => this.#countedOf(it)), ...this.#counted]
    const matching = all.filter(({ ready }) => ready.matches(request))
    const keepsCursors = matching.some(({ ready }) => ready.fault.list === 'repeats')
    const headers: Record<string, string> = {}
    const happened: Counted[] = []
    let deciding: { readonly counted: Counted; readonly effect: Effect } | undefined
    let delay = 0
    for (const counted of matching) {
      if (counted.ready.isBefore(request) || !counted.isDue()) continue
      const { effect, headers: own } = counted.effectOn(request)
      Object.assign(headers, own)
      const decides = effectNames.some((name) => counted.ready.fault[name] !== undefined)
      // The first one with an effect decides; another one does not happen.
      if (decides && (!effect || deciding)) continue
      happened.push(counted)
      delay += counted.happen()
      if (decides && effect) deciding = { counted, effect }
    }
    if (happened.length === 0 && Object.keys(headers).length === 0 && !keepsCursors) return undefined
    const slowest = Math.min(...happened.map(({ ready }) => ready.fault.bytesPerSecond ?? Infinity))
    return {
      fault: (deciding?.counted ?? happened[0])?.label,
      delay,
      bytesPerSecond: Number.isFinite(slowest) ? slowest : undefined,
      headers,
      effect: deciding?.effect,
      at: deciding?.counted.ready.at ?? nowhere,
      keepsCursors,
    }
  }

  #countedOf({ name, faults }: NamedFaults): readonly Counted[] {
    let counted = this.#named.get(name)
    if (!counted) this.#named.set(name, (counted = faults.map((ready, position) => new Counted(ready, position, name))))
    return counted
  }
}

const nowhere: ReadonlySet<string> = new Set()
