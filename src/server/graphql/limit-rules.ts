/** The limits of a request: what each one counts, and its default. */

/**
 * The default, what is counted, and the least value if it is not 1. The first word of the text is the unit in messages: "The
 * document has more than 12 tokens".
 */
const rules = {
  bodyBytes: [2 * 1024 * 1024, 'bytes in the body of a request'],
  tokens: [10_000, 'tokens in a document'],
  textLength: [64 * 1024, 'characters in one string, name or number of a document or its variables'],
  depth: [50, 'levels of nesting in a document, fragments included, and in its variables'],
  aliases: [500, 'aliases in a document'],
  directives: [100, 'directives in a document'],
  fields: [
    10_000,
    'fields that a document selects; a fragment counts each time it is used, introspection counts twentyfold',
  ],
  variables: [12_000, 'values in the variables of a request, including list elements and object members'],
  errors: [20, 'errors in one response'],
  rows: [20_000, 'records in the lists of one response'],
  values: [200_000, 'values in the lists of one response: records, times selected fields'],
  answerLength: [32 * 1024 * 1024, 'characters in the names and values of one response'],
  connections: [1000, 'connections open at the same time'],
  sessions: [10_000, 'sessions at the same time'],
  requests: [1000, 'requests that the journal of a session keeps; 0 for no journal and no coverage', 0],
} as const satisfies Readonly<Record<string, readonly [number, string, number?]>>

/** The name of a limit in the library: `limits: { bodyBytes: 1024 }`. */
export type LimitName = keyof typeof rules

/**
 * How much one request may ask for.
 * @example createMock({ limits: { depth: 20, rows: 1000 } })
 */
export type Limits = { readonly [Name in LimitName]: number }

export interface LimitRule {
  /** Its name in the library: `bodyBytes`. */
  readonly key: LimitName
  /** Its name on the command line: `body-bytes`. */
  readonly name: string
  readonly default: number
  readonly least: number
  /** What is counted. */
  readonly about: string
}

const ruleOf = (key: LimitName): LimitRule => ({
  key,
  name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  default: rules[key][0],
  least: rules[key][2] ?? 1,
  about: rules[key][1],
})

export const limitRules: readonly LimitRule[] = (Object.keys(rules) as LimitName[]).map(ruleOf)

export const defaultLimits = Object.fromEntries(limitRules.map((rule) => [rule.key, rule.default])) as Limits

/** Says that a limit is exceeded and how to raise it; suggests twice the current value. */
export const limitMessage = (subject: string, key: LimitName, current: number): string =>
  `${subject} has more than ${current} ${ruleOf(key).about.split(' ', 1)[0]}. Ask for less, or ${raiseLimit(key, current)}.`

export function raiseLimit(key: LimitName, current: number): string {
  const raised = Math.min(2 * current, Number.MAX_SAFE_INTEGER)
  return `raise the limit with --limit ${ruleOf(key).name}=${raised} (createMock: limits: { ${key}: ${raised} })`
}
