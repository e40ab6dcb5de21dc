/** Texts SHOULD come back as they were sent. That is assumed: a server may tidy up what it is sent. */
import {
  assumed,
  inconclusive,
  skip,
  type Check,
  type Context,
  type Data,
  type Exchange,
} from '../../src/contract/check.js'
import { within } from '../../src/contract/identity.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { failAll, judgeAll } from '../support/judge-each.js'
import { nodeOf } from '../support/shown.js'
import { partOf, rejectionOf, textSubject, unlessInconclusive, update, workingSubject } from '../support/subjects.js'
import { damageTo, textsOf } from '../support/texts.js'
import { accepted, writerOf } from '../support/writer.js'

type WithTexts = Pick<LifecycleResource, 'type' | 'tagField' | 'texts'>

interface Damage {
  readonly sentence: string
  /** The coordinate of the field. */
  readonly at: string
}

/** The damaged texts. */
export const damageIn = ({ type, tagField, texts }: WithTexts, input: Data, shown: Data): readonly Damage[] =>
  Object.entries(texts).flatMap(([field, form]) => {
    const [sent, seen] = [input[field], shown[field] ?? (form === 'name' ? shown[tagField] : undefined)]
    const damage = typeof sent === 'string' && typeof seen === 'string' ? damageTo(sent, seen) : undefined
    if (!damage) return []
    const [was, is] = [sent, seen].map((it) => JSON.stringify(it))
    return [{ sentence: `${damage}. ${field} was sent as ${was} and comes back as ${is}.`, at: `${type}.${field}` }]
  })

export function judgeTexts(
  resource: WithTexts,
  mutation: string,
  input: Data,
  shown: Data,
  evidence: readonly Exchange[],
) {
  failAll(
    damageIn(resource, input, shown).map(({ sentence, at }) => ({
      code: 'text-not-kept',
      at: within(`Mutation.${mutation}`, at),
      sentence: `${mutation} changes texts: ${sentence}`,
      exchanges: evidence,
    })),
  )
}

/** What each check of texts promises. */
export const keepsTexts = (one: string, mutations: string): Pick<Check, 'id' | 'title' | 'basis'> => ({
  id: `${one}-text`,
  title: `${mutations} SHOULD keep accents, CJK characters, emoji, \`&\`, quotes, backslashes and line breaks.`,
  basis: assumed('That text comes back as it was sent is not said.'),
})

const rejectTexts = (one: string, rejection: string): never =>
  inconclusive(`The server takes a new ${one}, but not with these characters: “${rejection}”.`)

/** Creates an object with such texts. The check is inconclusive if the server does not take them. */
export const takenWithTexts = <Made>(one: string, creating: Promise<Made>): Promise<Made> =>
  creating.catch((error: unknown) => {
    const rejection = rejectionOf(error)
    if (rejection === undefined) throw error
    return rejectTexts(one, rejection)
  })

/** Creates and updates an object with texts that servers damage. */
export const textCheck = (resource: LifecycleResource): Check => ({
  ...keepsTexts(resource.one, `\`${resource.create.field}\` and \`${resource.update.field}\``),
  writes: resource.name,
  async run(context) {
    const { one, type, create, update: updating, texts, tagged } = resource
    // A server may have no room for so many objects.
    const own = await unlessInconclusive(workingSubject(context, resource, textSubject(resource)))
    const subject = own ?? (await workingSubject(context, resource))
    const judgeUpdate = async () => {
      const { rejection } = subject
      if (rejection !== undefined) rejectTexts(one, rejection)
      const row = tagged({ ...writerOf(context).row(type), ...textsOf(texts) }, subject.tag)
      const part = Object.fromEntries(Object.keys(texts).map((field) => [field, row[field]]))
      const input = await partOf(context, resource, subject.id, part)
      if (!Object.keys(texts).some((it) => Object.hasOwn(input, it))) skip(`${updating.input} takes no text.`)
      const updated = update(context, resource, subject, input)
      const shown = await accepted(updated, `an update of a ${one} with these characters`)
      const sent = context.last()
      const judgeLater = async () => {
        const later = await laterTexts(context, resource, subject.id, input)
        judgeTexts(resource, updating.field, input, later, [...sent, ...context.last()])
      }
      await judgeAll(context, () => judgeTexts(resource, updating.field, input, shown, sent), judgeLater)
    }
    await judgeAll(
      context,
      () => judgeTexts(resource, create.field, subject.input, subject.shown, subject.exchanges),
      judgeUpdate,
    )
  },
})

/** What node shows once it has the texts, or when the consistency timeout is over. */
async function laterTexts(context: Context, resource: LifecycleResource, id: string, input: Data): Promise<Data> {
  const read = async () => (await nodeOf(context, resource, id, input)) ?? {}
  return writerOf(context).eventually(read, (it) => damageIn(resource, input, it).length === 0)
}
