/** What the specification promises of objects that can be created and updated, for any resource. */
import { fail, inconclusive, type Check, type Context, type Data } from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { isObject } from '../../src/shared/json.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { findById, newestOf, taggedAmong } from '../../src/writing/find.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { areFarApart, hoursSince } from '../support/ages.js'
import { answerTo, failAll, judgeAll } from '../support/judge-each.js'
import { judgeSingle } from '../support/lists.js'
import {
  fieldsOf,
  judgeComposed,
  judgeForms,
  judgeSent,
  nodeOf,
  saysAll,
  seenByNode,
  seenInAnswer,
  type Seen,
} from '../support/shown.js'
import { createdSubject, newInput, subjectOf, update, workingSubject } from '../support/subjects.js'
import { subjectBetween } from '../support/unchanged.js'
import { accepted, writerOf } from '../support/writer.js'
import { partialUpdateCheck } from './partial-update.js'

/** The list that shows a resource: a field of its own, or one of the account. */
const listOf = ({ name, paged }: LifecycleResource): Seen => ({
  at: paged ? `Query.${name}` : `Account.${name}`,
  words: 'the list',
})

/** The checks that every such resource has. */
export function lifecycleChecks(resource: LifecycleResource): readonly Check[] {
  const { name: writes, one, type, tagField, create, update: updating } = resource
  return [
    {
      id: `create-${one}`,
      rule: 'create',
      at: `Mutation.${create.field}`,
      title: `\`${create.field}\` MUST return the ${one} with the values that were sent.`,
      basis: create.basis,
      writes,
      async run(context) {
        const { input, shown } = await createdSubject(context, resource, subjectOf)
        await judgeAll(
          context,
          () => judgeSent(context, resource, input, shown, seenInAnswer(create)),
          () => judgeForms(type, resource.forms ?? [], [shown]),
          () => judgeNew(resource, shown),
        )
      },
    },
    {
      id: `create-${one}-node`,
      rule: 'create-node',
      at: 'Query.node',
      title: `\`node\` MUST return the ${one} that \`${create.field}\` created.`,
      basis: create.basis,
      writes,
      async run(context) {
        const { id, input } = await createdSubject(context, resource, workingSubject)
        const shown = await readShown(context, resource, input, () => nodeOf(context, resource, id, input))
        if (!shown) return fail(`node does not return ${id}, which ${create.field} created.`)
        await judgeAll(
          context,
          () => judgeSent(context, resource, input, shown, seenByNode),
          () => judgeId(type, id, shown, 'node'),
          () => judgeComposed(resource, input, shown),
        )
      },
    },
    {
      id: `create-${one}-list`,
      rule: 'create-list',
      at: listOf(resource).at,
      title: `The list MUST contain the ${one} that \`${create.field}\` created, once.`,
      basis: create.basis,
      writes,
      async run(context) {
        const { id, tag } = await createdSubject(context, resource, workingSubject)
        const listed = await writerOf(context).eventually(
          () => findById(context, resource, id),
          (it) => it !== null,
        )
        if (listed === undefined)
          return inconclusive('The list is too long to search. Allow more pages with --recover-pages.')
        if (!listed) return fail(`The list does not show ${id}, which ${create.field} created.`)
        await judgeAll(
          context,
          () => {
            const shown = listed[tagField]
            if (oneOf([tag])(String(shown ?? '')) !== undefined) return
            fail(`The list shows ${id} with ${tagField} ${JSON.stringify(shown)}, without its tag ${tag}.`, {
              at: `${type}.${tagField}`,
              exchanges: seenIn(listed),
            })
          },
          async () => judgeSingle(await newestOf(context, resource, tagField), tagField, tag),
        )
      },
    },
    // Before the other updates, because a server may change something at the first update only.
    partialUpdateCheck(resource),
    {
      id: `update-${one}`,
      rule: 'update',
      at: `Mutation.${updating.field}`,
      title: `\`${updating.field}\` MUST return the ${one} with the values that were sent, and store them.`,
      basis: updating.basis,
      writes,
      async run(context) {
        const { subject } = await subjectBetween(context, resource)
        const { id, tag } = subject
        const input = await newInput(context, resource, subject)
        const tagged = (objects: readonly Data[]) => taggedAmong(objects, tagField, oneOf([tag]))
        const before = tagged(await newestOf(context, resource, tagField)).map((it) => it.id)
        const updated = accepted(update(context, resource, subject, input), `an update of a ${one}`)
        const { answer: shown, judgeShape } = await answerTo(context, updated, { id })
        const judgeAnswer = () =>
          judgeAll(
            context,
            judgeShape,
            () => judgeId(type, id, shown, updating.field),
            () => judgeSent(context, resource, input, shown, seenInAnswer(updating)),
            () => judgeForms(type, resource.forms ?? [], [shown]),
          )
        const judgeLater = async () => {
          const later = await readShown(context, resource, input, () => nodeOf(context, resource, id, input))
          if (!later) return fail(`node does not return ${id} after ${updating.field}.`, { at: 'Query.node' })
          // A server may limit the depth of a document, and the values inside an object were judged with node.
          const flat = Object.fromEntries(Object.entries(input).filter(([, it]) => !isObject(it)))
          const select = await fieldsOf(context, type, flat)
          const wanted = { ...flat, [tagField]: later[tagField] }
          let listed: readonly Data[] = []
          const inList = async () => {
            listed = await newestOf(context, resource, select)
            return listed.find((it) => it['id'] === id)
          }
          return judgeAll(
            context,
            () => judgeSent(context, resource, input, later, seenByNode),
            async () => {
              const found = await readShown(context, resource, wanted, inList)
              // A list that does not reach the object shows nothing of it.
              if (found) judgeSent(context, resource, wanted, found, listOf(resource))
            },
            () => {
              const copy = tagged(listed).find((it) => !writerOf(context).owns(it.id) && !before.includes(it.id))
              if (!copy) return
              const sentence = `${updating.field} was sent ${id}, and the list also shows it as ${copy.id}.`
              fail(sentence, { code: 'created-twice' })
            },
            () => judgeComposed(resource, input, later),
          )
        }
        await judgeAll(context, judgeAnswer, judgeLater)
      },
    },
  ]
}

/** Reads an object until it has the values that were sent, and returns what is shown of it in the end. */
const readShown = <Shown extends Data | null | undefined>(
  context: Context,
  resource: LifecycleResource,
  input: Data,
  read: () => Promise<Shown>,
): Promise<Shown> =>
  writerOf(context).eventually(read, (it) => it === undefined || (it !== null && saysAll(context, resource, input, it)))

/** An operation returns the object whose id it was sent. */
export function judgeId(type: string, id: string, shown: Data, operation: string): void {
  if (shown['id'] === id) return
  const sentence = `${operation} was sent ${id} and returned ${JSON.stringify(shown['id'])}.`
  fail(sentence, { at: `${type}.id`, exchanges: seenIn(shown) })
}

/** The relative times of an object that was created a moment ago. */
function judgeNew({ type, aging = [], create }: LifecycleResource, shown: Data): void {
  const wrong = aging.filter((field) => {
    const hours = hoursSince(shown[field])
    return hours !== undefined && areFarApart(hours, 0)
  })
  failAll(
    wrong.map((field) => ({
      code: 'wrong-age',
      at: `${type}.${field}`,
      sentence: `${create.field} returned ${field} ${JSON.stringify(shown[field])} for an object that it just created.`,
      exchanges: seenIn(shown),
    })),
  )
}
