/** Integrations: their operations, their resource, and the checks that read and write them. */
import { assumed, type Check, type Context, documented, fail, inconclusive, type Data } from '../src/contract/check.js'
import { seenIn } from '../src/contract/evidence.js'
import { operation, withVariables } from '../src/contract/operation.js'
import { isObject } from '../src/contract/scalar-validators.js'
import { deepEqual } from '../src/shared/json.js'
import { createOperation, type Resource, stringOf } from '../src/writing/resource.js'
import { askAccount, judgeNodes, objectsOf } from './support/samples.js'
import { judgeAccount } from './account.js'
import { judgeTexts, keepsTexts, takenWithTexts } from './rules/texts.js'
import { sampleTexts } from './support/texts.js'
import { answerTo, failAll, judgeAll, judgeEach, judgeWrites } from './support/judge-each.js'
import { judgeText, noteGone } from './support/shown.js'
import { inAccount, judgeSingle } from './support/lists.js'
import { accepted, neededObject, writerOf } from './support/writer.js'

export const integrations = operation(
  'query Integrations { account { id integrations { id label platform details } } }',
)

export const integration = operation(`query Integration($id: ID!) {
  node(id: $id) { id ... on Integration { label platform details } }
}`)

export const removeIntegration = operation(`mutation RemoveIntegration($id: ID!) {
  removeIntegration(id: $id) { id integrations { id } }
}`)

export const integrationChecks: readonly Check[] = [
  {
    id: 'integrations-shape',
    at: 'Account.integrations',
    title: '`account { integrations }` MUST be a list of integrations.',
    basis: documented(
      'Account settings: account { integrations }: list of Integration (`id`, `label`, `platform`, `details`).',
    ),
    async run(context) {
      await askAccount(context, integrations)
    },
  },
  {
    id: 'integration-shape',
    at: 'Query.node',
    title: '`node` MUST return an integration by its id.',
    basis: documented(
      'What the service does: Any object can be retrieved through the generic `node(id)` query. Integration (implements Node).',
    ),
    run: (context) => judgeNodes(context, integrations, integration),
  },
  {
    id: 'integration-pixels',
    at: 'Integration.details',
    title: '`details` of a Facebook integration MUST have a list `pixels` of pixel ids.',
    basis: documented(
      'Integration: For a Facebook integration it carries a `pixels` list of pixel identifier strings.',
    ),
    async run(context) {
      const all = await objectsOf(context, integrations)
      const ofFacebook = all.filter(({ platform }) => /facebook/i.test(String(platform)))
      if (ofFacebook.length === 0) inconclusive('There is no Facebook integration.')
      await judgeEach(context, ofFacebook, (object) => {
        const { id, details } = object
        const exchanges = seenIn(object)
        if (details === null) {
          const basis = assumed('Integration: details is not required.')
          const sentence = `The details of ${String(id)} are null, and so show no pixels.`
          return fail(sentence, { code: 'null-value', exchanges, basis })
        }
        const pixels = isObject(details) === undefined ? (details as Data)['pixels'] : undefined
        if (Array.isArray(pixels) && pixels.every((it) => typeof it === 'string')) return
        fail(`The details of ${String(id)} have no list \`pixels\` of strings.`, { exchanges })
      })
    },
  },
]

export const integrationResource: Resource = {
  name: 'integrations',
  one: 'integration',
  type: 'Integration',
  tagField: 'label',
  list: inAccount('integrations'),
  create: { field: 'createConversionApiFacebookIntegration', input: 'FacebookConversionApi', showsOnlyId: true },
  remove: { max: 1, operation: ([object]) => withVariables(removeIntegration, { id: object?.id }) },
  announced: 'three for Facebook are created, with tokens that open nothing, and removed.',
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

/** An integration that this run creates. */
async function createIntegration(context: Context, text?: string) {
  const writer = writerOf(context)
  const tag = writer.newTag()
  const { label, details } = writer.row('Integration')
  const pixelIds = (details as Data)['pixels'] as readonly string[]
  const input = { token: `opens-nothing-${tag}`, label: `${tag} ${text ?? label}`, pixels: pixelIds }
  const sent = await writer.documentedInput(integrationResource.create, input)
  const { id } = await writer.create({
    kind: 'integrations',
    tag,
    operation: createOperation(integrationResource, sent, 'id'),
    idOf: (data) => (data['createConversionApiFacebookIntegration'] as Data | null)?.['id'],
  })
  return { id, tag, input }
}

/** The same for all checks. The server may check the token, which opens nothing. */
const integrationOf = (context: Context, which = 'first') =>
  context.shared(`${which} integration`, () => accepted(createIntegration(context), 'a new integration'))

/** The integrations that the account lists, as soon as they are as wanted. */
const integrationsWhen = (context: Context, isWanted: (ids: readonly unknown[]) => boolean) =>
  writerOf(context).eventually(
    async () => {
      const { account } = await context.ask(integrations)
      return ((account as Data | null)?.['integrations'] ?? []) as readonly Data[]
    },
    (listed) => isWanted(listed.map((it) => it['id'])),
  )

const has = (listed: readonly Data[], id: string) => listed.some((it) => it['id'] === id)

/** Removes an integration of this run; the others stay, and are in the answer. */
async function judgeRemoval(context: Context, id: string, others: readonly string[]): Promise<void> {
  const before = await integrationsWhen(context, (ids) => ids.includes(id))
  if (!has(before, id)) inconclusive(`The account does not list ${id}, which create-integration judges.`)
  const kept = others.filter((it) => has(before, it))
  writerOf(context).removing([id])
  const removed = writerOf(context).change(withVariables(removeIntegration, { id }), [id])
  const { answer, judgeShape } = await answerTo(context, removed, undefined)
  const evidence = context.last()
  const wanted = { has: kept, lacks: [id] }
  await judgeAll(
    context,
    judgeShape,
    () =>
      answer &&
      judgeAccount(context, 'removeIntegration', answer['removeIntegration'], 'integrations', wanted, evidence),
    async () => {
      const later = await integrationsWhen(context, (ids) => !ids.includes(id) && kept.every((it) => ids.includes(it)))
      const lost = kept.filter((it) => !has(later, it))
      const stays = `The account still lists ${id} after removeIntegration.`
      failAll([
        ...(has(later, id) ? [{ sentence: stays, code: 'still-listed' }] : []),
        ...lost.map((it) => ({
          sentence: `removeIntegration was sent ${id} and removed ${it}, which it was not asked to remove.`,
          code: 'deleted-other',
        })),
      ])
    },
  )
  await noteGone(context, id)
}

const { create } = integrationResource

const withLabel = { type: 'Integration', tagField: 'label', texts: { label: 'line' } } as const

export const integrationWrites: readonly Check[] = [
  {
    id: 'create-integration',
    at: 'Mutation.createConversionApiFacebookIntegration',
    title: '`createConversionApiFacebookIntegration` MUST return an id; the account MUST list it with its pixels.',
    basis: documented(
      'Account settings: createConversionApiFacebookIntegration, mutation: an object with `id` (the integration). Integration: for a Facebook integration details carries a `pixels` list.',
    ),
    writes: 'integrations',
    async run(context) {
      const { id, tag, input } = await integrationOf(context)
      const listed = await integrationsWhen(context, (ids) => ids.includes(id))
      const shown = listed.find((it) => it['id'] === id)
      if (!shown) return fail(`The account does not list the integration ${id}, which was just created.`)
      const { label, details } = shown
      const shownPixels = (details as Data | null)?.['pixels']
      await judgeAll(
        context,
        () => {
          const [wanted, found] = [input.label, label].map((it) => JSON.stringify(it))
          const sentence = `label was sent as ${wanted}, and the account shows ${found}.`
          judgeText(context, input.label, label, { sentence, at: 'Integration.label' })
        },
        () => {
          // The specification does not say that a list keeps its order.
          if (Array.isArray(shownPixels) && deepEqual(shownPixels.toSorted(), input.pixels.toSorted())) return
          const [sent, is] = [input.pixels, shownPixels].map((it) => JSON.stringify(it))
          fail(`pixels were sent as ${sent}, and details hold ${is}.`, { at: 'Integration.details' })
        },
        () => {
          if (JSON.stringify(shown).includes(input.token))
            fail('The integration shows the token that was sent.', { code: 'secret-shown' })
        },
        () => judgeSingle(listed, 'label', tag),
      )
    },
  },
  {
    id: 'remove-integration',
    at: 'Mutation.removeIntegration',
    title: '`removeIntegration` MUST return the account with the other integrations, and MUST NOT remove them.',
    basis: documented(
      'Account settings: removeIntegration, mutation: the Account with `id` and the remaining `integrations`.',
    ),
    writes: 'integrations',
    async run(context) {
      const created = async (which: string) => (await neededObject(integrationOf(context, which), 'integration')).id
      // Both before the first removal, to notice a server that always removes the newest.
      const first = await created('first')
      const isListed = has(await integrationsWhen(context, (ids) => ids.includes(first)), first)
      const second = await created('second')
      const both = await integrationsWhen(context, (ids) => ids.includes(first))
      await judgeWrites(context, [
        () => {
          if (isListed && !has(both, first))
            fail(`The account no longer lists ${first} since ${second} was created.`, {
              code: 'deleted-other',
              at: `Mutation.${create.field}`,
            })
        },
        () => judgeRemoval(context, first, [second]),
        () => judgeRemoval(context, second, []),
      ])
    },
  },
  {
    ...keepsTexts('integration', `\`${create.field}\``),
    writes: 'integrations',
    async run(context) {
      await neededObject(integrationOf(context), 'integration')
      const creating = createIntegration(context, sampleTexts.line)
      const { id, input } = await takenWithTexts('integration', creating)
      const created = context.last()
      const shown = (await integrationsWhen(context, (ids) => ids.includes(id))).find((it) => it['id'] === id)
      if (!shown) inconclusive(`The account does not list ${id}, which create-integration judges.`)
      judgeTexts(withLabel, create.field, input, shown as Data, [...created, ...context.last()])
    },
  },
]
