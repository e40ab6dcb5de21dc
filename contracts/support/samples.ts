/** Objects of the target, for checks that need one. */
import { CheckFailure, fail, inconclusive, type Context, type Exchange, type Data } from '../../src/contract/check.js'
import { withVariables, type Operation } from '../../src/contract/operation.js'

const maxSamples = 2

/** The data of an operation, whose shape another check judges: the same for all checks of a run, or fresh data. */
async function sample(context: Context, source: Operation, list: string, fresh: boolean): Promise<Data> {
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
  return found.data
}

function some(list: string, objects: unknown): readonly Data[] {
  const found = ((objects ?? []) as readonly (Data | null)[]).filter((it) => it !== null)
  return found.length > 0 ? found : inconclusive(`There are no ${list}.`)
}

/** The objects of a list of the account. */
export async function ofAccount(
  context: Context,
  source: Operation,
  list: string,
  fresh = false,
): Promise<readonly Data[]> {
  const { account } = await sample(context, source, list, fresh)
  return some(list, (account as Data | null)?.[list])
}

/** The first elements of a listing. */
export async function ofListing(
  context: Context,
  source: Operation,
  list: string,
  fresh = false,
): Promise<readonly Data[]> {
  const data = await sample(context, withVariables(source, { query: '', first: 25 }), list, fresh)
  const connection = data[list] as { readonly edges: readonly (Data | null)[] | null } | null
  return some(
    list,
    connection?.edges?.map((edge) => edge?.['node'] ?? null),
  )
}

/** `node` returns a few objects of a list, with the same values in some fields. */
export async function judgeNodes(
  context: Context,
  read: (fresh: boolean) => Promise<readonly Data[]>,
  node: Operation,
  fields: readonly string[],
): Promise<void> {
  const difference = async (fresh: boolean): Promise<readonly [string, readonly Exchange[]] | undefined> => {
    const objects = await read(fresh)
    const listed = context.last()
    for (const object of objects.slice(0, maxSamples)) {
      const data = await context.ask(withVariables(node, { id: object['id'] }))
      const sentence = differenceOf(object, data['node'] as Data | null, fields)
      if (sentence !== undefined) return [sentence, [...listed, ...context.last()]]
    }
    return undefined
  }
  // Somebody may change or delete an object between two requests, but hardly twice.
  const found = (await difference(false)) && (await difference(true))
  if (found) fail(...found)
}

function differenceOf(object: Data, found: Data | null, fields: readonly string[]): string | undefined {
  const asked = `\`node(id: ${JSON.stringify(object['id'])})\``
  if (found === null) return `${asked} is null, but the list has the object.`
  // A type that we do not know has only the fields of its interface.
  const other = fields.find((field) => Object.hasOwn(found, field) && found[field] !== object[field])
  if (other === undefined) return undefined
  return `${asked} has ${other} ${JSON.stringify(found[other])}, but the list has ${JSON.stringify(object[other])}.`
}
