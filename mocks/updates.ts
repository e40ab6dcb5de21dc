/** What mutations share: finding the record, and telling `null` from what was left out. */
import type { Entity } from '../src/world/world.js'
import type { TypeDefinition } from '../src/world/definition.js'
import { serviceError } from '../src/shared/service-error.js'
import { quote } from '../src/shared/quote.js'
import type { Context } from './context.js'

/** The record that a mutation names, or an error with which nothing is changed. */
export function existing<S extends object, D extends object>(
  { world }: Context,
  type: TypeDefinition<S, D>,
  id: string,
): Entity<S, D> {
  const record = world.get(type, id)
  if (record) return record
  const name = type.name.toLowerCase()
  throw serviceError(
    'NOT_FOUND',
    `There is no ${name} with the id ${quote(id)}. Nothing was changed.`,
    `errors_${name}_not_found`,
  )
}

/** Deletes the records that exist. Answers their ids, each once, in the order of the request. */
export function removeAll<S extends object, D extends object>(
  context: Context,
  type: TypeDefinition<S, D>,
  ids: readonly string[],
): string[] {
  const unique = [...new Set(ids)]
  // All are looked up before the first is deleted, so that an error changes nothing.
  const records = unique.map((id) =>
    context.profile.unknown_delete === 'error' ? existing(context, type, id) : context.world.get(type, id),
  )
  return records.flatMap((record) => (record && context.world.remove(type, record.index) ? [record.id] : []))
}

/** Another record that has a value already, where `own` asks for a new one. */
export function holderOf<S extends object, D extends object, Field extends keyof (S & D) & string>(
  { world }: Context,
  type: TypeDefinition<S, D>,
  field: Field,
  value: (S & D)[Field] | undefined,
  own: Entity<S, D> | undefined,
): Entity<S, D> | undefined {
  if (!value || value === own?.[field]) return undefined
  for (const other of world.all(type)) if (other[field] === value && other.index !== own?.index) return other
  return undefined
}

/** A value that was sent: `empty` for null, undefined where it was left out. */
export const cleared = <Value>(value: Value | null | undefined, empty: Value): Value | undefined =>
  value === null ? empty : value

type Over<Base, T> = Omit<Base, keyof T> & {
  [K in keyof T & keyof Base]: Base[K] | Exclude<T[K], undefined>
} & { [K in Exclude<keyof T, keyof Base>]?: Exclude<T[K], undefined> }

/** What was not left out, over what a new record has. */
export function sent<T extends object, Base extends object>(values: T, base: Base): Over<Base, T> {
  // In a loop: an object of two spreads, or of a spread and more, gets a hidden class of its own, which takes 10 µs.
  const result = Object.assign({}, base) as Record<string, unknown>
  for (const name of Object.keys(values)) {
    const value = values[name as keyof T]
    if (value !== undefined) result[name] = value
  }
  return result as Over<Base, T>
}
