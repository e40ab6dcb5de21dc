/** Chooses the field by which each resource is found again. */
import type { Context } from '../contract/check.js'
import type { Key, Resource } from '../writing/resource.js'

/** The key of each resource that a run uses. */
export type Keys = (resource: Resource) => Key

/** Chooses the keys: those that a ledger recorded, or the best that the server has. */
export async function chooseKeys(
  resources: readonly Resource[],
  context: Context,
  recorded: Readonly<Record<string, string>> = {},
): Promise<Keys> {
  const chosen = new Map<Resource, Key>()
  for (const resource of resources) {
    const { name, keys } = resource
    let key = keys.find((it) => it.name === recorded[name])
    for (const it of keys) {
      if (key) break
      if (it.coordinate === undefined || (await context.shows(it.coordinate))) key = it
    }
    if (!key) throw new Error(`The resource ${name} has no key that every server shows.`)
    chosen.set(resource, key)
  }
  return (resource) => chosen.get(resource) as Key
}
