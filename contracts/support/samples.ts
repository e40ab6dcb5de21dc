/** Objects of the target, for checks that need one. */
import { CheckFailure, fail, inconclusive, type Context, type Exchange } from '../../src/contract/check.js'
import { withVariables, type Operation } from '../../src/contract/operation.js'

export type Data = Readonly<Record<string, unknown>>

const maxSamples = 2

/** The objects at a path of an answer, whose shape another check judges. */
async function sample(
  context: Context,
  source: Operation,
  path: readonly string[],
  fresh: boolean,
): Promise<readonly Data[]> {
  const [list] = path.filter((it) => it !== 'account')
  const ask = async () => {
    try {
      return { data: await context.ask(source), exchanges: context.last() }
    } catch (error) {
      if (error instanceof CheckFailure) return undefined
      throw error
    }
  }
  const found = await (fresh ? ask() : context.shared(`sample of ${source.name}`, ask))
  if (!found) return inconclusive(`The list of ${list} does not have the right shape. See ${list}-shape.`)
  context.cite(found.exchanges)
  const objects = path.reduce<unknown>((value, key) => (value as Data | null)?.[key], found.data)
  return ((objects ?? []) as readonly (Data | null)[]).filter((it) => it !== null)
}

/** The objects of a list of the account: the same for all checks of a run, or fresh ones. */
export const ofAccount = async (
  context: Context,
  source: Operation,
  list: string,
  fresh = false,
): Promise<readonly Data[]> => some(await sample(context, source, ['account', list], fresh), list)

/** The first elements of a listing: the same for all checks of a run, or fresh ones. */
export async function ofListing(
  context: Context,
  source: Operation,
  list: string,
  fresh = false,
): Promise<readonly Data[]> {
  const edges = await sample(context, withVariables(source, { query: '', first: 25 }), [list, 'edges'], fresh)
  const nodes = edges.map(({ node }) => node as Data | null)
  return some(
    nodes.filter((it) => it !== null),
    list,
  )
}

function some(objects: readonly Data[], list: string): readonly Data[] {
  if (objects.length === 0) inconclusive(`There are no ${list}.`)
  return objects
}

interface Difference {
  readonly sentence: string
  readonly exchanges: readonly Exchange[]
}

/** `node` returns a few objects of a list, with the same values in some fields. */
export async function judgeNodes(
  context: Context,
  read: (fresh: boolean) => Promise<readonly Data[]>,
  node: Operation,
  fields: readonly string[],
): Promise<void> {
  const difference = async (fresh: boolean): Promise<Difference | undefined> => {
    const objects = await read(fresh)
    const listed = context.last()
    for (const object of objects.slice(0, maxSamples)) {
      const data = await context.ask(withVariables(node, { id: object['id'] }))
      const sentence = differenceOf(object, data['node'] as Data | null, fields)
      if (sentence !== undefined) return { sentence, exchanges: [...listed, ...context.last()] }
    }
    return undefined
  }
  // Somebody may change or delete an object between two requests, but hardly twice.
  const found = (await difference(false)) && (await difference(true))
  if (found) fail(found.sentence, found.exchanges)
}

function differenceOf(object: Data, found: Data | null, fields: readonly string[]): string | undefined {
  const asked = `\`node(id: ${JSON.stringify(object['id'])})\``
  if (found === null) return `${asked} is null, but the list has the object.`
  // A type that we do not know has only the fields of its interface.
  const other = fields.find((field) => Object.hasOwn(found, field) && found[field] !== object[field])
  if (other === undefined) return undefined
  return `${asked} has ${other} ${JSON.stringify(found[other])}, but the list has ${JSON.stringify(object[other])}.`
}
