/** Helpers of mutations: reading inputs, and finding, comparing and deleting records. */
import type { RecordOf, TypeDefinition } from '../src/world/definition.js'
import { serviceError } from '../src/shared/service-error.js'
import { quote } from '../src/shared/text.js'
import type { Context } from './context.js'

/** An input for these fields: all of them may be omitted or null. */
export type InputOf<Fields> = { readonly [Field in keyof Fields]?: Fields[Field] | null | undefined }

/** The values of an input, without omitted fields. `blank` lists the fields, and what null stands for in each. */
export function valuesFrom<Fields extends object>(input: InputOf<Fields>, blank: Fields): Partial<Fields> {
  const values: Partial<Fields> = {}
  for (const field of Object.keys(blank) as (keyof Fields)[]) {
    const value = input[field]
    if (value !== undefined) values[field] = value ?? blank[field]
  }
  return values
}

/** A row of a world file. Its id, if it has one, is what the API shows, whatever rows come before it. */
export interface NamedRow {
  readonly id?: string | undefined
}

/** The fields that a row of a world file sets to null. For a mutation, null stands for another value. */
export const nullsIn = (row: object): object => Object.fromEntries(Object.entries(row).filter(([, it]) => it === null))

/** The record with this id. Throws an error if there is none. */
export function existing<S extends object, D extends object>(
  { world }: Context,
  type: TypeDefinition<S, D>,
  id: string,
): RecordOf<S, D> {
  const record = world.get(type, id)
  if (record) return record
  const name = type.name.toLowerCase()
  throw serviceError(
    'NOT_FOUND',
    `There is no ${name} with the id ${quote(id)}. Nothing was changed.`,
    `errors_${name}_not_found`,
  )
}

/** Deletes the records that exist. Returns their ids without duplicates, in the order of the request. */
export function removeAll<S extends object, D extends object>(
  context: Context,
  type: TypeDefinition<S, D>,
  ids: readonly string[],
): string[] {
  const unique = [...new Set(ids)]
  // Look up all before deleting the first, so an error changes nothing.
  const records = unique.map((id) =>
    context.profile.unknown_delete === 'error' ? existing(context, type, id) : context.world.get(type, id),
  )
  return records.flatMap((record) => (record && context.world.remove(type, record.index) ? [record.id] : []))
}

/** Throws an error if the profile says so and another record already has the value that `own` would get. */
export function refuseDuplicate<
  Field extends 'email' | 'slug',
  Stored extends { readonly [F in Field]: string },
  Derived extends object,
>(
  { world, profile }: Context,
  type: TypeDefinition<Stored, Derived>,
  field: Field,
  value: string | undefined,
  own?: RecordOf<Stored, Derived>,
): void {
  if (profile[`same_${field}`] === 'allow' || !value || value === own?.[field]) return
  for (const other of world.all(type)) {
    if (other[field] !== value || other.index === own?.index) continue
    throw serviceError(
      'DUPLICATE',
      `${type.name} ${other.id} has the ${field} ${quote(value)} already. Use another.`,
      `errors_duplicated_${type.name.toLowerCase()}_${field}`,
    )
  }
}
