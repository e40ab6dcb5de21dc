/** Objects that a server shows, for checks that need one to look at. */
import { cannotTell, Unmet, type Session } from '../src/contract/check.js'
import { withVariables, type Operation } from '../src/contract/operation.js'

export type Data = Readonly<Record<string, unknown>>

const mostSamples = 2

/** The first objects at a place of an answer. What is wrong with that answer is judged by the check named. */
async function sample(
  session: Session,
  source: Operation,
  path: readonly string[],
  judge: string,
): Promise<readonly Data[]> {
  const found = await session.shared(`sample of ${source.name}`, async () => {
    try {
      return await session.ask(source)
    } catch (error) {
      if (error instanceof Unmet) return undefined
      throw error
    }
  })
  if (!found) return cannotTell(`The list to choose from does not come as it should, which ${judge} judges.`)
  const list = path.reduce<unknown>((value, key) => (value as Data | null)?.[key], found)
  return ((list ?? []) as (Data | null)[]).flatMap((it) => (it === null ? [] : [it]))
}

/** The first objects of a list of the account. */
export const ofAccount = async (session: Session, source: Operation, list: string): Promise<readonly Data[]> =>
  some(await sample(session, source, ['account', list], `${list}-shape`), list)

/** The first elements of a listing. */
export async function ofListing(session: Session, source: Operation, list: string): Promise<readonly Data[]> {
  const edges = await sample(session, withVariables(source, { query: '', first: 25 }), [list, 'edges'], `${list}-shape`)
  return some(
    edges.flatMap(({ node }) => (node === null ? [] : [node as Data])),
    list,
  )
}

function some(objects: readonly Data[], list: string): readonly Data[] {
  if (objects.length === 0) cannotTell(`There are no ${list} to look at.`)
  return objects
}

/** Asks `node(id)` for a few objects, and for nothing less than each of them. */
export async function judgeNodes(
  session: Session,
  objects: readonly Data[],
  node: Operation,
  same: readonly string[],
): Promise<void> {
  for (const object of objects.slice(0, mostSamples)) {
    const data = await session.ask(withVariables(node, { id: object['id'] }))
    const found = data['node'] as Data | null
    if (found === null)
      throw new Unmet([
        { sentence: `\`node(id: ${JSON.stringify(object['id'])})\` is null, and the list shows the object.` },
      ])
    const other = same.find((field) => found[field] !== object[field])
    if (other === undefined) continue
    throw new Unmet([
      {
        sentence: `\`node(id: ${JSON.stringify(object['id'])})\` has ${other} ${JSON.stringify(found[other])}, and the list shows ${JSON.stringify(object[other])}.`,
      },
    ])
  }
}
