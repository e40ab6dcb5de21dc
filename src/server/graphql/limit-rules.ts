/** The limits of a request, as a list: how much of each thing it may have, and the option that lifts the limit. */

export interface LimitRule {
  readonly default: number
  /** What is counted, as a message says it: "The document has 12 tokens". */
  readonly of: string
  /** What is counted, for help. */
  readonly about: string
  /** What to do about it, where nothing was asked for; else "Ask for less". */
  readonly instead?: string
}

export const limitRules = {
  bodyBytes: {
    default: 2 * 1024 * 1024,
    of: 'bytes',
    about: 'bytes in the body of a request',
    instead: 'Send a smaller one',
  },
  tokens: { default: 10_000, of: 'tokens', about: 'tokens in a document' },
  textLength: {
    default: 64 * 1024,
    of: 'characters',
    about: 'characters of a text, name or number in a document or in its variables',
    instead: 'Make it shorter',
  },
  depth: {
    default: 50,
    of: 'levels',
    about: 'levels of nesting in a document, fragments included, and in its variables',
  },
  aliases: { default: 500, of: 'aliases', about: 'aliases in a document' },
  directives: { default: 100, of: 'directives', about: 'directives in a document' },
  fields: {
    default: 10_000,
    of: 'fields',
    about: 'fields that a document selects, each fragment counted where it is used, introspection twentyfold',
  },
  variables: {
    default: 12_000,
    of: 'values',
    about: 'values in the variables of a request, each element of a list and member of an object counted',
    instead: 'Send fewer',
  },
  errors: { default: 20, of: 'errors', about: 'errors that one answer lists' },
  rows: { default: 20_000, of: 'rows', about: 'records of lists that one answer holds' },
  values: { default: 200_000, of: 'values', about: 'records of lists times selected fields that one answer holds' },
  answerLength: {
    default: 32 * 1024 * 1024,
    of: 'characters',
    about: 'characters that the names and values of one answer hold',
  },
} as const satisfies Readonly<Record<string, LimitRule>>

export type LimitName = keyof typeof limitRules
export type Limits = { readonly [Name in LimitName]: number }

export const defaultLimits = Object.fromEntries(
  Object.entries(limitRules).map(([name, rule]) => [name, rule.default]),
) as Limits

/** The option that sets a limit: `--max-body-bytes`. */
export const limitFlag = (name: LimitName): string => `--max-${name.replace(/[A-Z]/g, (it) => `-${it.toLowerCase()}`)}`
