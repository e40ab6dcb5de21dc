/** Forms of plain data: what a value must be, in words for whoever wrote another, and as JSON Schema for editors. */
import { quote } from '../shared/quote.js'

export type Path = readonly (string | number)[]
export type JsonSchema = Readonly<Record<string, unknown>>

export interface Problem {
  /** Where it is, from the root. */
  readonly path: Path
  /** Whether the name of the last member is meant, or what stands there. */
  readonly at: 'name' | 'value'
  /** A sentence that names the path, and says what to do. */
  readonly text: string
}

export interface Form {
  readonly schema: JsonSchema
  /** The first thing that is wrong with a value, if anything. */
  readonly problem: (value: unknown, path: Path) => Problem | undefined
}

/** A path as it is written in code: `customers[3].email`. */
export const pathText = (path: Path): string =>
  path.length === 0
    ? 'The world'
    : path
        .map((it, at) => (typeof it === 'number' ? `[${it}]` : at === 0 ? plainName(it) : `.${plainName(it)}`))
        .join('')

const plainName = (name: string) => (/^[$\w]{1,60}$/.test(name) ? name : shown(name))

/** A value as it is shown in an error: in one line and short. */
export function shown(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  if (typeof value === 'string') return quote(value)
  return typeof value === 'number' || typeof value === 'bigint' ? `the number ${value}` : String(value)
}

const wrong = (path: Path, wanted: string, value: unknown, more = ''): Problem => ({
  path,
  at: 'value',
  text: `${pathText(path)} must be ${wanted}, not ${shown(value)}.${more}`,
})

export interface TextRules {
  /** What it is besides a text, with an example. */
  readonly wanted?: string
  readonly pattern?: RegExp
  readonly least?: number
  readonly most?: number
  /** What no pattern can tell. */
  readonly fits?: (text: string) => boolean
}

export function text({ wanted = 'a text', pattern, least, most, fits }: TextRules = {}): Form {
  return {
    schema: {
      type: 'string',
      ...(least === undefined ? {} : { minLength: least }),
      ...(most === undefined ? {} : { maxLength: most }),
      ...(pattern === undefined ? {} : { pattern: pattern.source }),
    },
    problem(value, path) {
      if (typeof value !== 'string') {
        const bare = typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
        return wrong(path, wanted, value, bare ? ' Put it between quotes.' : '')
      }
      // JSON Schema counts characters, not code units.
      const length = most === undefined && value.length > 0 ? value.length : [...value].length
      if (length < (least ?? 0) || length > (most ?? Infinity)) return wrong(path, wanted, value)
      if (pattern?.test(value) === false || fits?.(value) === false) return wrong(path, wanted, value)
      // Half a character cannot be sent to anybody.
      return /\p{Cs}/u.test(value) ? wrong(path, 'whole Unicode characters', value) : undefined
    },
  }
}

export const number = (least: number, most: number, kind: 'integer' | 'number' = 'integer'): Form => ({
  schema: { type: kind, minimum: least, maximum: most },
  problem: (value, path) =>
    typeof value === 'number' && value >= least && value <= most && (kind === 'number' || Number.isInteger(value))
      ? undefined
      : wrong(path, `a ${kind === 'integer' ? 'whole ' : ''}number from ${least} to ${most}`, value),
})

export const truth: Form = {
  schema: { type: 'boolean' },
  problem: (value, path) => (typeof value === 'boolean' ? undefined : wrong(path, 'true or false', value)),
}

export const oneOf = (words: readonly string[]): Form => ({
  schema: { enum: words },
  problem: (value, path) =>
    words.includes(value as string)
      ? undefined
      : wrong(path, words.map((it) => JSON.stringify(it)).join(' or '), value),
})

/** What may be null as well. */
export const nullable = (form: Form): Form => ({
  schema: { anyOf: [form.schema, { type: 'null' }] },
  problem: (value, path) => (value === null ? undefined : form.problem(value, path)),
})

export const listOf = (form: Form): Form => ({
  schema: { type: 'array', items: form.schema },
  problem(value, path) {
    if (!Array.isArray(value)) return wrong(path, 'a list', value)
    for (let at = 0; at < value.length; at++) {
      const problem = form.problem(value[at], [...path, at])
      if (problem) return problem
    }
    return undefined
  },
})

/** A plain object, also one of another realm. */
function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

const maxDepth = 32

/** Whatever JSON can carry. */
function jsonProblem(value: unknown, path: Path): Problem | undefined {
  if (path.length > maxDepth) return wrong(path.slice(0, 8), `at most ${maxDepth} levels deep`, value)
  if (typeof value === 'string') return text().problem(value, path)
  if (value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))) return
  if (Array.isArray(value)) return listOf({ schema: {}, problem: jsonProblem }).problem(value, path)
  if (!isObject(value)) return wrong(path, 'what JSON can carry', value)
  for (const [name, it] of Object.entries(value)) {
    const problem = forbidden(name, path) ?? jsonProblem(it, [...path, name])
    if (problem) return problem
  }
  return undefined
}

/** A name that means something else to half of the programs that read it. */
const forbidden = (name: string, path: Path): Problem | undefined =>
  name === '__proto__'
    ? { path: [...path, name], at: 'name', text: `${pathText(path)} must not have a member "__proto__". Take it out.` }
    : undefined

/** An object of any members. */
export const anyObject: Form = {
  schema: { type: 'object' },
  problem: (value, path) => (isObject(value) ? jsonProblem(value, path) : wrong(path, 'an object', value)),
}

export interface Member {
  readonly form: Form
  /** What it is, for whoever writes one. */
  readonly about: string
  readonly required?: boolean
}

/** An object of these members and no others. `also` is a rule about several of them. */
export function object(
  members: Readonly<Record<string, Member>>,
  also: (value: Readonly<Record<string, unknown>>, path: Path) => Problem | undefined = () => undefined,
): Form {
  const names = Object.keys(members)
  const required = names.filter((name) => members[name]?.required)
  const properties = Object.entries(members).map(([name, { form, about }]) => [
    name,
    { description: about, ...form.schema },
  ])
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(required.length > 0 ? { required } : {}),
      additionalProperties: false,
    },
    problem(value, path) {
      if (!isObject(value)) return wrong(path, 'an object', value)
      for (const [name, it] of Object.entries(value)) {
        const member = Object.hasOwn(members, name) ? members[name] : undefined
        const problem = member
          ? it === undefined
            ? undefined
            : member.form.problem(it, [...path, name])
          : (forbidden(name, path) ?? unknownMember(name, names, path))
        if (problem) return problem
      }
      const missing = required.find((name) => value[name] === undefined)
      if (missing !== undefined)
        return { path, at: 'value', text: `${pathText(path)} has no ${missing}. It needs one.` }
      return also(value, path)
    },
  }
}

function unknownMember(name: string, names: readonly string[], path: Path): Problem {
  const near = nearest(name, names)
  const advice = near === undefined ? `It takes: ${names.join(', ')}.` : `Did you mean "${near}"?`
  return { path: [...path, name], at: 'name', text: `${pathText(path)} has no member ${shown(name)}. ${advice}` }
}

/** The word that somebody who wrote another most likely meant. */
export function nearest(word: string, words: readonly string[]): string | undefined {
  const [best] = words
    .map((it) => ({ it, far: distance(word.slice(0, 40).toLowerCase(), it.toLowerCase()) }))
    .sort((a, b) => a.far - b.far)
  return best && best.far <= Math.max(1, Math.floor(best.it.length / 3)) ? best.it : undefined
}

/** How many letters must be put in, taken out, changed, or swapped with the next. */
function distance(a: string, b: string): number {
  let [before, above]: [number[], number[]] = [[], Array.from({ length: b.length + 1 }, (_, i) => i)]
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const changed = (above[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isSwap = i > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const swapped = isSwap ? (before[j - 2] as number) + 1 : Infinity
      row.push(Math.min(changed, swapped, (above[j] as number) + 1, (row[j - 1] as number) + 1))
    }
    ;[before, above] = [above, row]
  }
  return above[b.length] as number
}
