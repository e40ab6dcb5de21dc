/** The limits of a request, as a list: what each one counts, its default, and how a user raises it. */

interface Rule {
  readonly default: number
  /** What is counted, in the plural, for messages: "The document has more than 12 tokens". */
  readonly unit: string
  /** What is counted, for help. */
  readonly about: string
  /** What to do instead of raising the limit. "Ask for less" unless given. */
  readonly advice?: string
}

const rules = {
  bodyBytes: {
    default: 2 * 1024 * 1024,
    unit: 'bytes',
    about: 'bytes in the body of a request',
    advice: 'Send a smaller one',
  },
  tokens: { default: 10_000, unit: 'tokens', about: 'tokens in a document' },
  textLength: {
    default: 64 * 1024,
    unit: 'characters',
    about: 'characters in one string, name or number of a document or its variables',
    advice: 'Make it shorter',
  },
  depth: {
    default: 50,
    unit: 'levels',
    about: 'levels of nesting in a document, fragments included, and in its variables',
  },
  aliases: { default: 500, unit: 'aliases', about: 'aliases in a document' },
  directives: { default: 100, unit: 'directives', about: 'directives in a document' },
  fields: {
    default: 10_000,
    unit: 'fields',
    about: 'fields that a document selects; a fragment counts each time it is used, introspection counts twentyfold',
  },
  variables: {
    default: 12_000,
    unit: 'values',
    about: 'values in the variables of a request, including list elements and object members',
    advice: 'Send fewer',
  },
  errors: { default: 20, unit: 'errors', about: 'errors in one response' },
  rows: { default: 20_000, unit: 'rows', about: 'records in the lists of one response' },
  values: { default: 200_000, unit: 'values', about: 'records in lists, times selected fields, in one response' },
  answerLength: {
    default: 32 * 1024 * 1024,
    unit: 'characters',
    about: 'characters in the names and values of one response',
  },
  connections: {
    default: 1000,
    unit: 'connections',
    about: 'connections open at the same time',
    advice: 'Close some',
  },
} as const satisfies Readonly<Record<string, Rule>>

/** The name of a limit in the library: `limits: { bodyBytes: 1024 }`. */
export type LimitName = keyof typeof rules

/**
 * How much one request may ask for.
 * @example createMock({ limits: { depth: 20, rows: 1000 } })
 */
export type Limits = { readonly [Name in LimitName]: number }

export interface LimitRule extends Rule {
  /** Its name in the library: `bodyBytes`. */
  readonly key: LimitName
  /** Its name on the command line: `body-bytes`. */
  readonly name: string
  readonly min: number
  readonly max: number
}

export const limitRules: readonly LimitRule[] = (Object.keys(rules) as LimitName[]).map((key) => ({
  ...rules[key],
  key,
  name: key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
  min: 1,
  max: Number.MAX_SAFE_INTEGER,
}))

export const defaultLimits = Object.fromEntries(limitRules.map((rule) => [rule.key, rule.default])) as Limits

/** Says that a limit is exceeded and how to raise it; suggests twice the current value. */
export function limitMessage(subject: string, key: LimitName, current: number): string {
  const { name, unit, max, advice = 'Ask for less' } = limitRules.find((rule) => rule.key === key) as LimitRule
  const raised = Math.min(2 * current, max)
  const ways = `--limit ${name}=${raised} (createMock: limits: { ${key}: ${raised} })`
  return `${subject} has more than ${current} ${unit}. ${advice}, or raise the limit with ${ways}.`
}
