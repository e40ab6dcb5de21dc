/** The profile: behavior that the specification leaves open and SDL cannot express. Each entry can be set. */
import { isObject } from './shared/json.js'

/** An open question, our answer, and its alternatives. */
export interface ProfileEntry<Value = unknown> {
  readonly default: Value
  /** The question in one line. */
  readonly about: string
  /** Why the default is what it is. */
  readonly reason: string
  /** The allowed values, for error messages. */
  readonly takes: string
  readonly accepts: (value: unknown) => boolean
}

/** The first value is the default. */
const choice = <const Values extends readonly (string | number)[]>(
  values: Values,
  entry: Pick<ProfileEntry, 'about' | 'reason'>,
): ProfileEntry<Values[number]> => ({
  ...entry,
  default: values[0] as Values[number],
  takes: values.map((it) => JSON.stringify(it)).join(' or '),
  accepts: (value) => values.includes(value as Values[number]),
})

const isString = (value: unknown) => typeof value === 'string'
const isStrings = (value: unknown) => Array.isArray(value) && value.length > 0 && value.every(isString)
const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1
/** All entries by name. A `--profile` file is a JSON object with some of them. */
export const profileEntries = {
  order_keys: {
    default: {} as Readonly<Record<string, readonly string[]>>,
    about: 'the keys that `order_by` accepts',
    reason: 'Only id and created_at were seen in clients. Users would also try the other fields of an element.',
    takes: 'an object from list name to key names; a list that is not named takes all keys that the mock knows',
    accepts: (value) => isObject(value) && Object.values(value).every(isStrings),
  },
  default_order: {
    default: 'order_by:_id order_dir:asc',
    about: 'the order of a list without `order_by`',
    reason: 'Oldest first is the order of creation.',
    takes: 'a string for the argument `query`, such as "order_by:created_at order_dir:desc"',
    accepts: isString,
  },
  unknown_filter: choice(['error', 'ignore'], {
    about: 'how `query` treats an unknown key or value, a repeated key, or a bare word',
    reason: 'An error that lists the accepted keys helps more than a list in an unexpected order.',
  }),
  first_negative: choice(['error', 'empty'], {
    about: 'what a negative `first` returns',
    reason: 'A negative number of elements is a mistake in the request.',
  }),
  first_cap: {
    default: null as number | null,
    about: 'the upper limit of `first`',
    reason: 'No maximum is documented.',
    takes: 'null for none, or a whole number from 1',
    accepts: (value) => value === null || isCount(value),
  },
  first_above_cap: choice(['cap', 'error'], {
    about: 'what a `first` above `first_cap` returns',
    reason: 'Most services shorten the page.',
  }),
  bad_cursor: choice(['error', 'start_over', 'empty_page'], {
    about: 'what `after` returns for a cursor that is malformed, or from another list or order',
    reason: 'Starting over would make a client loop without an error.',
  }),
  product_page_size: {
    default: 25,
    about: 'how many products of a store one request returns',
    reason: 'The same as the documented page of the other lists.',
    takes: 'a whole number from 1',
    accepts: isCount,
  },
  unknown_node: choice(['null', 'error'], {
    about: 'what `node(id)` returns for an unknown or deleted id',
    reason: 'The field can be null, and null is what the Relay specification expects.',
  }),
  unknown_delete: choice(['pass_over', 'error'], {
    about: 'what a delete does with an unknown or deleted id',
    reason: 'The object is gone either way.',
  }),
  same_email: choice(['allow', 'error'], {
    about: 'whether two customers can have one e-mail address',
    reason: 'No rule against it is documented.',
  }),
  same_slug: choice(['error', 'allow'], {
    about: 'whether two stores can have one slug',
    reason: 'The service probably has an error for it, because a slug is part of a URL.',
  }),
  error_form: choice(['standard', 'keyed'], {
    about: 'the form of errors: with `extensions.code`, or also with name, key and path',
    reason: 'Standard clients read it. The vendor uses the other form, and form libraries need its path.',
  }),
  error_status: choice(['by_media_type', 200, 400, 422], {
    about: 'the HTTP status of a response with errors and without data',
    reason:
      'By the GraphQL over HTTP specification: 200 as application/json; 400 as application/graphql-response+json.',
  }),
  http_get: choice(['refuse', 'queries'], {
    about: 'what the server does with a GraphQL request by GET',
    reason: 'All operations are documented as POST.',
  }),
} satisfies Record<string, ProfileEntry>

export type ProfileName = keyof typeof profileEntries

/** The value of every entry. */
export type Profile = { readonly [Name in ProfileName]: (typeof profileEntries)[Name]['default'] }

export const defaultProfile = Object.fromEntries(
  Object.entries(profileEntries).map(([name, entry]) => [name, entry.default]),
) as Profile

/** The defaults with some entries replaced. Throws an Error that says which values are allowed. */
export function createProfile(values: unknown = {}): Profile {
  if (!isObject(values)) throw new Error('A profile is an object with entries such as "same_slug": "allow".')
  for (const [name, value] of Object.entries(values)) {
    if (!Object.hasOwn(profileEntries, name)) {
      throw new Error(`The profile has no entry "${name}". Its entries: ${Object.keys(profileEntries).join(', ')}.`)
    }
    const entry: ProfileEntry = profileEntries[name as ProfileName]
    if (!entry.accepts(value)) throw new Error(`The profile entry "${name}" takes ${entry.takes}.`)
  }
  return { ...defaultProfile, ...(values as Partial<Profile>) }
}
