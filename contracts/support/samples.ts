/** Objects that the target lists, for checks that need some. */
import { fail, inconclusive, type Check, type Context, type Data } from '../../src/contract/check.js'
import { judged } from '../../src/contract/judge.js'
import { seenIn } from '../../src/contract/evidence.js'
import { coordinateIn, withVariables, type Operation } from '../../src/contract/operation.js'
import { isObject } from '../../src/shared/json.js'
import { failAll, failureOf, judgeEach } from './judge-each.js'
import { twice } from './twice.js'
import { elapsedSeconds, fieldsThatDiffer } from './values.js'

const maxSamples = 2

/** Judges the shape of the answer to one operation. */
export const asks = (operation: Operation): Pick<Check, 'asksOnce' | 'run'> => ({
  asksOnce: true,
  run: async (context) => void (await context.ask(operation)),
})

/** The answer to an operation, to look at before it is judged. */
export async function answerOf(context: Context, operation: Operation) {
  const { shapes } = context
  const { body, status } = await context.send({ ...operation, document: shapes.prepared(operation.document) })
  return { body, judge: () => judged(body, operation, shapes, status) }
}

/** The account as an operation shows it. */
export async function askAccount(context: Context, operation: Operation): Promise<Data> {
  const { account } = await context.ask(operation)
  return (account as Data | null) ?? inconclusive('`account` is null, which account-shape judges.')
}

interface ObjectsOptions {
  /** Whether to ask again, and not once for all checks of a run. */
  readonly fresh?: boolean
  /** Whether fields of a wrong type do not matter, which the …-shape check judges. */
  readonly anyShape?: boolean
}

/** The objects in the list that gives an operation its name. */
export async function objectsOf(
  context: Context,
  source: Operation,
  { fresh = false, anyShape = false }: ObjectsOptions = {},
): Promise<readonly Data[]> {
  const list = source.name.toLowerCase()
  const ask = async () => {
    const { body, judge } = await answerOf(context, source)
    return { data: body.data, failure: await failureOf(context, judge) }
  }
  const { data, failure } = await (fresh ? ask() : context.shared(`list of ${list}`, ask))
  if (failure && !(anyShape && data))
    return inconclusive(`The list of ${list} does not have the right shape. See ${list}-shape.`)
  const { account, [list]: connection } = data as Readonly<Record<string, Data | null | undefined>>
  const edges = connection?.['edges']
  const listed = Array.isArray(edges) ? edges.map((edge: Data | null) => edge?.['node']) : account?.[list]
  const isNamed = (it: unknown): it is Data => isObject(it) && typeof it['id'] === 'string'
  const objects = Array.isArray(listed) ? listed.filter(isNamed) : []
  return objects.length > 0 ? objects : inconclusive(`There are no ${list}.`)
}

/** `node` returns a few objects of a list, with the same values. */
export async function judgeNodes(context: Context, source: Operation, node: Operation): Promise<void> {
  await twice(context, async (again) => {
    const elapsed = elapsedSeconds()
    const samples = (await objectsOf(context, source, { fresh: again })).slice(0, maxSamples)
    let deleted = 0
    await judgeEach(context, samples, async (listed) => {
      const { id } = listed
      const data = await context.ask(withVariables(node, { id }))
      const found = data['node'] as Data | null
      const exchanges = seenIn(listed, data)
      const asked = `\`node(id: ${JSON.stringify(id)})\``
      if (found === null) {
        if (!(await isListed(context, source, listed))) return void (deleted += 1)
        return fail(`${asked} is null, but the list has the object.`, { code: 'node-differs', exchanges })
      }
      failAll(
        fieldsThatDiffer(listed, found, elapsed()).map((field) => {
          const [is, was] = [found, listed].map((it) => JSON.stringify(it[field]))
          const sentence = `${asked} has ${field} ${is}, but the list has ${was}.`
          return { sentence, code: 'node-differs', at: coordinateIn(node, field), exchanges }
        }),
      )
    })
    if (deleted === samples.length) inconclusive('Somebody else deleted what the list had.')
  })
}

const isListed = async (context: Context, source: Operation, { id }: Data): Promise<boolean> =>
  (await objectsOf(context, source, { fresh: true })).some((it) => it['id'] === id)
