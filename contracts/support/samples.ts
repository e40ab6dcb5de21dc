/** Objects that a server shows, for checks that need one to look at. */
import { inconclusive, CheckFailure, fail, type Context } from '../../src/contract/check.js'
import { withVariables, type Operation } from '../../src/contract/operation.js'

export type Data = Readonly<Record<string, unknown>>

const maxSamples = 2

/** The first objects at a place of an answer. What is wrong with that answer is judged by the check named. */
async function sample(
  context: Context,
  source: Operation,
  path: readonly string[],
  judge: string,
  fresh: boolean,
): Promise<readonly Data[]> {
  const ask = async () => {
    try {
      return { data: await context.ask(source), exchanges: context.last() }
    } catch (error) {
      if (error instanceof CheckFailure) return undefined
      throw error
    }
  }
  const found = await (fresh ? ask() : context.shared(`sample of ${source.name}`, ask))
  if (!found) return inconclusive(`The list to choose from does not come as it should, which ${judge} judges.`)
  context.cite(found.exchanges)
  const list = path.reduce<unknown>((value, key) => (value as Data | null)?.[key], found.data)
  return ((list ?? []) as (Data | null)[]).flatMap((it) => (it === null ? [] : [it]))
}

/** The first objects of a list of the account: as all checks of a run see them, or read anew. */
export const ofAccount = async (
  context: Context,
  source: Operation,
  list: string,
  fresh = false,
): Promise<readonly Data[]> => some(await sample(context, source, ['account', list], `${list}-shape`, fresh), list)

/** The first elements of a listing, likewise. */
export async function ofListing(
  context: Context,
  source: Operation,
  list: string,
  fresh = false,
): Promise<readonly Data[]> {
  const asked = withVariables(source, { query: '', first: 25 })
  const edges = await sample(context, asked, [list, 'edges'], `${list}-shape`, fresh)
  return some(
    edges.flatMap(({ node }) => (node === null ? [] : [node as Data])),
    list,
  )
}

function some(objects: readonly Data[], list: string): readonly Data[] {
  if (objects.length === 0) inconclusive(`There are no ${list} to look at.`)
  return objects
}

/** Asks `node(id)` for a few objects, and for nothing less than each of them. */
export async function judgeNodes(
  context: Context,
  read: (fresh: boolean) => Promise<readonly Data[]>,
  node: Operation,
  same: readonly string[],
): Promise<void> {
  const differences = async (fresh: boolean) => {
    for (const object of (await read(fresh)).slice(0, maxSamples)) {
      const wrong = differenceOf(object, await context.ask(withVariables(node, { id: object['id'] })), same)
      if (wrong !== undefined) return wrong
    }
    return undefined
  }
  // An object may be changed or deleted between two requests, but hardly twice.
  const wrong = (await differences(false)) && (await differences(true))
  if (wrong !== undefined) fail(wrong)
}

function differenceOf(object: Data, data: Data, same: readonly string[]): string | undefined {
  const asked = `\`node(id: ${JSON.stringify(object['id'])})\``
  const found = data['node'] as Data | null
  if (found === null) return `${asked} is null, and the list shows the object.`
  // A type of the server's own has the members of its interface alone.
  const other = same.find((field) => Object.hasOwn(found, field) && found[field] !== object[field])
  if (other === undefined) return undefined
  return `${asked} has ${other} ${JSON.stringify(found[other])}, and the list shows ${JSON.stringify(object[other])}.`
}
