/** What is promised of integrations that are made and removed. */
import { inconclusive, documented, CheckFailure, fail, type Check, type Context } from '../src/contract/check.js'
import { ofAnyRun } from '../src/writing/run-tag.js'
import { withVariables } from '../src/contract/operation.js'
import { deepEqual } from '../src/shared/deep-equal.js'
import { createConversionApiFacebookIntegration, integrations, removeIntegration } from './integrations.js'
import { judgeSingle } from './support/copies.js'
import { accepted, writerOf } from './support/resource.js'
import type { Data } from './support/samples.js'
import { judgeText, noteGone } from './support/shown.js'

const integrationList = async (context: Context): Promise<readonly Data[]> =>
  (((await context.ask(integrations))['account'] as Data | null)?.['integrations'] ?? []) as readonly Data[]

interface MadeIntegration {
  readonly id: string
  readonly mark: string
  readonly input: Data
}

const integrationOf = (context: Context, which = 'first'): Promise<MadeIntegration> =>
  context.shared(`${which} integration`, async () => {
    const writer = writerOf(context)
    const mark = writer.mark()
    const row = writer.row('Integration')
    const pixelIds = (row['details'] as Data)['pixels']
    const input = { token: `opens-nothing-${mark}`, label: `${mark} ${row['label']}`, pixels: pixelIds }
    await writer.fits('FacebookConversionApi', input)
    const making = writer.make({
      kind: 'integrations',
      mark,
      operation: withVariables(createConversionApiFacebookIntegration, { node: input }),
      idOf: (data) => (data['createConversionApiFacebookIntegration'] as Data | null)?.['id'],
    })
    // The token opens nothing, and a server may look.
    const { id } = await accepted(making, 'to make an integration')
    return { id, mark, input }
  })

/** That a list keeps its order is not said. */
const sameSet = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? deepEqual(a.toSorted(), b.toSorted()) : deepEqual(a, b)

/**
 * What of others went with it, if something did: once proves nothing, because somebody may have removed it just then. What
 * another run made, that one takes away.
 */
async function judgeRemoval(context: Context, which: string, removed: string[]): Promise<readonly string[]> {
  const { id } = await integrationOf(context, which).catch((error: unknown) => {
    if (!(error instanceof CheckFailure)) throw error
    return inconclusive('No integration can be made, which create-integration judges.')
  })
  const writer = writerOf(context)
  const before = await writer.eventually(
    () => integrationList(context),
    (all) => all.some((it) => it['id'] === id),
  )
  removed.push(id)
  const data = await writer.change(withVariables(removeIntegration, { id }), [id])
  const account = data['removeIntegration'] as {
    readonly id: string
    readonly integrations: readonly Data[]
  } | null
  if (!account) return fail('removeIntegration answers null, and not the account.')
  const { account: own } = await context.ask(integrations)
  if (account.id !== (own as Data | null)?.['id'])
    fail(`removeIntegration answers ${JSON.stringify(account.id)}, which is not the account.`)
  if (account.integrations.some((it) => it['id'] === id))
    fail(`removeIntegration answers an account that still lists ${id}.`)
  const wanted = before.map((it) => String(it['id'])).filter((it) => !removed.includes(it))
  const lacking = wanted.filter((it) => !account.integrations.some((other) => other['id'] === it))
  const missing = (it: string) => `removeIntegration was sent ${id}, and ${it} is missing from its answer.`
  const ours = lacking.find((it) => writer.owns(it))
  if (ours !== undefined) fail(missing(ours))
  const look = async () => (await integrationList(context)).map((it) => String(it['id']))
  const later = await writer.eventually(look, (ids) => ![id, ...lacking].some((it) => ids.includes(it)))
  if (later.includes(id)) fail(`The account still lists the integration ${id}, which was removed.`)
  const listed = lacking.find((it) => later.includes(it))
  if (listed !== undefined) fail(`${missing(listed)} The account lists it.`)
  await noteGone(context, id)
  if (!before.some((it) => it['id'] === id))
    inconclusive(`The account never listed ${id}, so that it lists it no more tells nothing.`)
  const ofOthers = before.filter(
    (it) => lacking.includes(String(it['id'])) && ofAnyRun(String(it['label'])) === undefined,
  )
  return ofOthers.map((it) => String(it['id'])).slice(0, 1)
}

export const integrationWrites: readonly Check[] = [
  {
    id: 'create-integration',
    title:
      'createConversionApiFacebookIntegration answers an id, and the account then shows the integration with its pixels.',
    basis: documented(
      'Account settings: createConversionApiFacebookIntegration, mutation: an object with `id` (the integration). Integration: for a Facebook integration details carries a `pixels` list.',
    ),
    writes: 'integrations',
    async run(context) {
      const { id, mark, input } = await integrationOf(context)
      const look = async () => (await integrationList(context)).find((it) => it['id'] === id)
      const shown = await writerOf(context).eventually(look, (it) => it !== undefined)
      if (!shown) return fail(`The account does not list the integration ${id}, which was just made.`)
      const sentence = `label was sent as ${JSON.stringify(input['label'])}, and the account shows ${JSON.stringify(shown['label'])}.`
      judgeText(context, input['label'], shown['label'], sentence)
      const listed = (shown['details'] as Data | null)?.['pixels']
      if (!sameSet(listed, input['pixels']))
        fail(`pixels were sent as ${JSON.stringify(input['pixels'])}, and details carry ${JSON.stringify(listed)}.`)
      if (JSON.stringify(shown).includes(String(input['token']))) fail('The integration shows the token that was sent.')
      judgeSingle(await integrationList(context), 'label', mark)
    },
  },
  {
    id: 'remove-integration',
    title: 'removeIntegration answers the account without the integration, and it is gone.',
    basis: documented(
      'Account settings: removeIntegration, mutation: the Account with `id` and the remaining `integrations`.',
    ),
    writes: 'integrations',
    async run(context) {
      const both = ['first', 'second']
      // Before the first is removed: a server that takes the newest would else take the right one.
      for (const which of both) await integrationOf(context, which).catch(() => {})
      const removed: string[] = []
      const gone: string[] = []
      for (const which of both) gone.push(...(await judgeRemoval(context, which, removed)))
      const [first, again] = gone
      if (again !== undefined)
        fail(`removeIntegration was sent two, and ${String(first)} and ${again} were gone with them.`)
      if (first !== undefined)
        context.remark(`${first} was gone after a removal too, and somebody may have removed it.`)
    },
  },
]
