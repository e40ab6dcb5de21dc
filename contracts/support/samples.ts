/** Objects that the target lists, for checks that need some. */
import { fail, inconclusive, type Check, type Context, type Data } from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { coordinateIn, withVariables, type Operation } from '../../src/contract/operation.js'
import { isBroken } from '../../src/contract/rejection.js'
import { twice } from './twice.js'
import { elapsedSeconds, fieldThatDiffers } from './values.js'

const maxSamples = 2

/** Judges the shape of the answer to one operation. */
export const asks = (operation: Operation): Pick<Check, 'asksOnce' | 'run'> => ({
  asksOnce: true,
  run: async (context) => void (await context.ask(operation)),
})

/** The account as an operation shows it. */
export async function askAccount(context: Context, operation: Operation): Promise<Data> {
  const { account } = await context.ask(operation)
  return (account as Data | null) ?? inconclusive('`account` is null, which account-shape judges.')
}

/** The objects in the list that gives an operation its name: once for all checks of a run, unless `fresh`. */
export async function objectsOf(context: Context, source: Operation, fresh = false): Promise<readonly Data[]> {
  const list = source.name.toLowerCase()
  const ask = async () => {
    try {
      return await context.ask(source)
    } catch (error) {
      if (isBroken(error)) return undefined
      throw error
    }
  }
  const found = await (fresh ? ask() : context.shared(`list of ${list}`, ask))
  if (!found) return inconclusive(`The list of ${list} does not have the right shape. See ${list}-shape.`)
  const { account, [list]: connection } = found as Readonly<Record<string, Data | null | undefined>>
  const edges = connection?.['edges'] as readonly (Data | null)[] | null | undefined
  const listed = (edges?.map((edge) => edge?.['node']) ?? account?.[list] ?? []) as readonly (Data | null)[]
  const objects = listed.filter((it) => it !== null && it !== undefined)
  return objects.length > 0 ? objects : inconclusive(`There are no ${list}.`)
}

/** `node` returns a few objects of a list, with the same values. */
export async function judgeNodes(context: Context, source: Operation, node: Operation): Promise<void> {
  await twice(async (again) => {
    const elapsed = elapsedSeconds()
    const samples = (await objectsOf(context, source, again)).slice(0, maxSamples)
    let deleted = 0
    for (const object of samples) {
      const data = await context.ask(withVariables(node, { id: object['id'] }))
      const difference = differenceOf(object, data['node'] as Data | null, elapsed())
      if (!difference) continue
      const { sentence, field } = difference
      const exchanges = seenIn(object, data)
      if (data['node'] === null && !(await isListed(context, source, object))) deleted += 1
      else fail(sentence, { code: 'node-differs', at: field && coordinateIn(node, field), exchanges })
    }
    if (deleted === samples.length) inconclusive('Somebody else deleted what the list had.')
  })
}

const isListed = async (context: Context, source: Operation, { id }: Data): Promise<boolean> =>
  (await objectsOf(context, source, true)).some((it) => it['id'] === id)

interface Difference {
  readonly sentence: string
  /** Unless the whole object is missing. */
  readonly field?: string
}

function differenceOf(object: Data, found: Data | null, seconds: number): Difference | undefined {
  const asked = `\`node(id: ${JSON.stringify(object['id'])})\``
  if (found === null) return { sentence: `${asked} is null, but the list has the object.` }
  const other = fieldThatDiffers(object, found, seconds)
  if (other === undefined) return undefined
  const [is, listed] = [found, object].map((it) => JSON.stringify(it[other]))
  return { field: other, sentence: `${asked} has ${other} ${is}, but the list has ${listed}.` }
}
