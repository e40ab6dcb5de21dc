/** Integrations: their operations, their resource, and the checks that read and write them. */
import {
  type Check,
  CheckFailure,
  type Context,
  documented,
  fail,
  inconclusive,
  type Data,
} from '../src/contract/check.js'
import { operation, type Operation, withVariables } from '../src/contract/operation.js'
import { isObject } from '../src/contract/scalar-validators.js'
import { deepEqual } from '../src/shared/deep-equal.js'
import { createOperation, type Resource, stringOf } from '../src/writing/resource.js'
import { asks, judgeNodes, objectsOf } from './support/samples.js'
import { judgeText, noteGone } from './support/shown.js'
import { inAccount, judgeSingle } from './support/lists.js'
import { accepted, writerOf } from './support/writer.js'

export const integrations = operation(`query Integrations {
  account {
    id
    integrations { id label platform details }
  }
}`)

export const integration = operation(`query Integration($id: ID!) {
  node(id: $id) {
    id
    ... on Integration { label platform details }
  }
}`)

export const createConversionApiFacebookIntegration =
  operation(`mutation CreateConversionApiFacebookIntegration($node: FacebookConversionApi!) {
  createConversionApiFacebookIntegration(node: $node) { id }
}`)

export const removeIntegration = operation(`mutation RemoveIntegration($id: ID!) {
  removeIntegration(id: $id) {
    id
    integrations { id }
  }
}`)

export const integrationOperations: readonly Operation[] = [
  integrations,
  integration,
  createConversionApiFacebookIntegration,
  removeIntegration,
]

/** An input of createConversionApiFacebookIntegration with documented fields only. The token is not valid anywhere. */
export const exampleIntegration = {
  token: 'example-token-that-opens-nothing',
  label: 'Conversions of the outlet',
  pixels: ['204918830417755'],
}

export const integrationChecks: readonly Check[] = [
  {
    id: 'integrations-shape',
    title: '`account { integrations }` MUST be a list of integrations.',
    basis: documented(
      'Account settings: account { integrations }: list of Integration (`id`, `label`, `platform`, `details`).',
    ),
    run: asks(integrations),
  },
  {
    id: 'integration-shape',
    title: '`node` MUST return an integration by its id.',
    basis: documented(
      'What the service does: Any object can be retrieved through the generic `node(id)` query. Integration (implements Node).',
    ),
    run: (context) => judgeNodes(context, integrations, integration, ['id', 'label', 'platform']),
  },
  {
    id: 'integration-pixels',
    title: '`details` of a Facebook integration MUST have a list `pixels` of pixel ids.',
    basis: documented(
      'Integration: For a Facebook integration it carries a `pixels` list of pixel identifier strings.',
    ),
    async run(context) {
      const all = await objectsOf(context, integrations)
      const ofFacebook = all.filter(({ platform }) => /facebook/i.test(String(platform)))
      const withDetails = ofFacebook.filter(({ details }) => details !== null)
      if (withDetails.length === 0) inconclusive('There is no Facebook integration with details.')
      for (const { id, details } of withDetails) {
        const pixels = isObject(details) === undefined ? (details as Data)['pixels'] : undefined
        if (Array.isArray(pixels) && pixels.every((it) => typeof it === 'string')) continue
        fail(`The details of ${String(id)} have no list \`pixels\` of strings.`)
      }
    },
  },
]

export const integrationResource: Resource = {
  name: 'integrations',
  one: 'integration',
  type: 'Integration',
  tagField: 'label',
  list: inAccount('integrations'),
  create: { field: 'createConversionApiFacebookIntegration', input: 'FacebookConversionApi' },
  remove: { max: 1, operation: ([object]) => withVariables(removeIntegration, { id: object?.id }) },
  announced: {
    documented: { input: 'FacebookConversionApi', values: exampleIntegration },
    all: 'two for Facebook are created, with tokens that open nothing, and removed.',
  },
  keys: [{ name: 'label' }],
  unsupported: ({ platform }) => (platform === 'facebook' ? undefined : `integrations with ${stringOf(platform)}`),
  secret: {
    name: 'facebookToken',
    advice: 'Put the token from Facebook into an environment variable, and give its name with --facebook-token-env.',
  },
  values: ({ label, details }, { facebookToken: token }) => ({
    token,
    label,
    pixels: (details as Data | null | undefined)?.['pixels'] ?? [],
  }),
}

async function integrationList(context: Context): Promise<readonly Data[]> {
  const { account } = await context.ask(integrations)
  return ((account as Data | null)?.['integrations'] ?? []) as readonly Data[]
}

interface CreatedIntegration {
  readonly id: string
  readonly tag: string
  readonly input: Data
}

const integrationOf = (context: Context, which = 'first'): Promise<CreatedIntegration> =>
  context.shared(`${which} integration`, async () => {
    const writer = writerOf(context)
    const tag = writer.newTag()
    const row = writer.row('Integration')
    const pixelIds = (row['details'] as Data)['pixels']
    const input = { token: `opens-nothing-${tag}`, label: `${tag} ${row['label']}`, pixels: pixelIds }
    await writer.fits('FacebookConversionApi', input)
    const creating = writer.create({
      kind: 'integrations',
      tag,
      operation: createOperation(integrationResource, input, 'id'),
      idOf: (data) => (data['createConversionApiFacebookIntegration'] as Data | null)?.['id'],
    })
    // The server may check the token, which opens nothing.
    const { id } = await accepted(creating, 'a new integration')
    return { id, tag, input }
  })

/** The specification does not say that a list keeps its order. */
const sameSet = (a: unknown, b: unknown): boolean =>
  Array.isArray(a) && Array.isArray(b) ? deepEqual(a.toSorted(), b.toSorted()) : deepEqual(a, b)

/** Removes an integration of this run; the `kept` one stays, and every other that the account lists is in the answer. */
async function judgeRemoval(context: Context, id: string, kept: string | undefined): Promise<void> {
  const writer = writerOf(context)
  const ids = async () => (await integrationList(context)).map((it) => String(it['id']))
  const before = await writer.eventually(ids, (it) => it.includes(id))
  const data = await writer.change(withVariables(removeIntegration, { id }), [id])
  const evidence = context.last()
  const account = data['removeIntegration'] as { readonly id: string; readonly integrations: readonly Data[] } | null
  if (!account) return fail('removeIntegration answers null, not the account.')
  const { account: own } = await context.ask(integrations)
  if (account.id !== (own as Data | null)?.['id'])
    fail(`removeIntegration answers ${JSON.stringify(account.id)}, which is not the account.`, evidence)
  const answered = account.integrations.map((it) => String(it['id']))
  if (answered.includes(id)) fail(`removeIntegration answers an account that still lists ${id}.`, evidence)
  const isKept = (it: readonly string[]) => kept === undefined || !before.includes(kept) || it.includes(kept)
  const later = await writer.eventually(ids, (it) => !it.includes(id) && isKept(it))
  if (later.includes(id)) fail(`The account still lists ${id} after removeIntegration.`)
  if (!isKept(later)) fail(`removeIntegration was sent ${id} and removed ${kept}, which it was not asked to remove.`)
  const missing = before.find((it) => later.includes(it) && !answered.includes(it))
  if (missing !== undefined)
    fail(`removeIntegration answers an account without ${missing}, which the account still lists.`, evidence)
  await noteGone(context, id)
  if (!before.includes(id)) inconclusive(`The account never listed ${id}, so its absence proves nothing.`)
}

export const integrationWrites: readonly Check[] = [
  {
    id: 'create-integration',
    title: '`createConversionApiFacebookIntegration` MUST return an id; the account MUST list it with its pixels.',
    basis: documented(
      'Account settings: createConversionApiFacebookIntegration, mutation: an object with `id` (the integration). Integration: for a Facebook integration details carries a `pixels` list.',
    ),
    writes: 'integrations',
    async run(context) {
      const { id, tag, input } = await integrationOf(context)
      const shown = await writerOf(context).eventually(
        async () => (await integrationList(context)).find((it) => it['id'] === id),
        (it) => it !== undefined,
      )
      if (!shown) return fail(`The account does not list the integration ${id}, which was just created.`)
      const sentence = `label was sent as ${JSON.stringify(input['label'])}, and the account shows ${JSON.stringify(shown['label'])}.`
      judgeText(context, input['label'], shown['label'], sentence)
      const listed = (shown['details'] as Data | null)?.['pixels']
      if (!sameSet(listed, input['pixels']))
        fail(`pixels were sent as ${JSON.stringify(input['pixels'])}, and details hold ${JSON.stringify(listed)}.`)
      if (JSON.stringify(shown).includes(String(input['token']))) fail('The integration shows the token that was sent.')
      judgeSingle(await integrationList(context), 'label', tag)
    },
  },
  {
    id: 'remove-integration',
    title: '`removeIntegration` MUST return the account with the other integrations, and MUST NOT remove them.',
    basis: documented(
      'Account settings: removeIntegration, mutation: the Account with `id` and the remaining `integrations`.',
    ),
    writes: 'integrations',
    async run(context) {
      // Both before the first removal, to notice a server that always removes the newest.
      const [first, second] = [await created(context, 'first'), await created(context, 'second')]
      await judgeRemoval(context, first, second)
      await judgeRemoval(context, second, undefined)
    },
  },
]

const created = async (context: Context, which: string): Promise<string> => {
  const { id } = await integrationOf(context, which).catch((error: unknown) => {
    if (!(error instanceof CheckFailure)) throw error
    return inconclusive('No integration can be created, which create-integration judges.')
  })
  return id
}
