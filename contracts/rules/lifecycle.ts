/** What the specification promises of objects that can be created, updated and deleted, for any resource. */
import {
  assumed,
  fail,
  inconclusive,
  skip,
  type Check,
  type Context,
  type Data,
  type Exchange,
  type Finding,
} from '../../src/contract/check.js'
import { isAssumed } from '../../src/schema/provenance.js'
import { seenIn } from '../../src/contract/evidence.js'
import { withVariables, type Operation } from '../../src/contract/operation.js'
import { dataLost } from '../../src/contract/verdict.js'
import { isObject } from '../../src/shared/json.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { findById, newestOf, taggedAmong } from '../../src/writing/find.js'
import { oneOf } from '../../src/writing/run-tag.js'
import { upToDate } from '../support/last-write.js'
import { areFarApart, hoursSince } from '../support/ages.js'
import {
  fieldsOf,
  isGone,
  judgeComposed,
  judgeForms,
  judgeSent,
  nodeOf,
  saysAll,
  seenByNode,
  seenInAnswer,
  type Seen,
} from '../support/shown.js'
import {
  createdSubject,
  partOf,
  rowUnlike,
  subjectOf,
  unlessInconclusive,
  update,
  workingSubject,
} from '../support/subjects.js'
import {
  beforeWrite,
  beforeWrites,
  changesIn,
  judgeUntouched,
  subjectBetween,
  type Before,
  type Change,
} from '../support/unchanged.js'
import { answerTo, failAll, judgeAll, judgeEach, judgeWrites } from '../support/judge-each.js'
import { judgeSingle } from '../support/lists.js'
import { accepted, writerOf, type Subject } from '../support/writer.js'

/** An input of an update that changes every value. */
async function newInput(context: Context, resource: LifecycleResource, { id, tag }: Subject): Promise<Data> {
  const current = (await upToDate(context, resource, id)).shown ?? {}
  const { tagged, retagged = (row: Data) => row } = resource
  const row = rowUnlike(context, resource.type, current, (it) => retagged(tagged(it, tag), tag))
  return writerOf(context).input(resource.update, row)
}

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
    {
      id: `update-${one}-rest`,
      rule: 'update-rest',
      at: `Mutation.${updating.field}`,
      title: `\`${updating.field}\` MUST change only the values that were sent, and no other ${one}.`,
      basis: updating.basis,
      writes,
      async run(context) {
        const { subject, neighbors } = await subjectBetween(context, resource)
        const first = await newInput(context, resource, subject)
        const fields = resource.single.filter((it) => Object.hasOwn(first, it)).slice(0, maxSingle)
        const [part] = fields
        if (part === undefined) return skip(`${updating.input} takes none of ${resource.single.join(', ')}.`)
        const others = await beforeWrites(context, resource, neighbors)
        let before = await beforeWrite(context, resource, subject)
        const sendPart = async (part: Data, untouched: readonly Before[]) => {
          const input = await partOf(context, resource, subject.id, part)
          const was = before
          const updated = accepted(update(context, resource, subject, input), `an update of a ${one}`)
          const { answer: answered, judgeShape } = await answerTo(updated, {})
          // Until the update is visible, the server shows the old state as a whole.
          before = { ...(await upToDate(context, resource, subject.id)), moving: was.moving }
          const after = before
          await judgeAll(context, judgeShape, () =>
            judgeRest(context, resource, { input, before: was, answered, after, others: untouched }),
          )
        }
        let last = first
        await judgeWrites(context, [
          () => sendPart({ [part]: first[part] }, others),
          async () => {
            // A reset shows only in a field that has a value, so all are filled. Other fields may follow from them.
            const whole = await newInput(context, resource, subject)
            await unlessInconclusive(accepted(update(context, resource, subject, whole), 'a whole update'))
            before = { ...(await upToDate(context, resource, subject.id)), moving: before.moving }
            last = await newInput(context, resource, subject)
          },
          // One by one, because a server may empty exactly the field that is not sent.
          ...fields.map((field) => () => sendPart({ [field]: last[field] }, field === fields.at(-1) ? others : [])),
        ])
      },
    },
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
        const { answer: shown, judgeShape } = await answerTo(updated, { id })
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

const maxSingle = 2

/** An update of a part of an object: the object before and after it, and other objects before it. */
interface PartialUpdate {
  readonly input: Data
  readonly before: Before
  readonly answered: Data
  readonly after: Before
  readonly others: readonly Before[]
}

/** An update changes no field that it was not sent, and no other object. */
function judgeRest(context: Context, resource: LifecycleResource, updated: PartialUpdate): Promise<void> {
  const { field: mutation } = resource.update
  const { input, before, answered, after, others } = updated
  const { id } = before
  const except = [...Object.keys(input), ...before.moving]
  const judgeFields = () => {
    if (before.shown && before.isUpToDate && !after.shown) {
      const sentence = `${mutation} returned ${JSON.stringify(answered['id'])}, and node no longer returns ${id}.`
      fail(sentence, seenIn(answered))
    }
    const stale = [before, after, ...others].find((it) => !it.isUpToDate)
    if (stale) inconclusive(`node does not show the last write to ${stale.id}, so the other fields cannot be judged.`)
    // The id in the answer is judged by update-….
    const differences = changesIn(resource, answered, after.shown, [...except, ...(resource.following ?? []), 'id'])
    failAll([
      ...unsentIn(context, resource, updated, except),
      ...differences
        .filter(({ is }) => is !== undefined)
        .map(({ field, was, is }) => ({
          at: `${resource.type}.${field}`,
          sentence: `${mutation} returned ${field} ${was}, which was not sent, and node has ${is}.`,
          exchanges: seenIn(answered, after.shown),
        })),
    ])
  }
  const steps = [() => judgeUntouched(context, resource, others, mutation), judgeFields]
  // If reads are late, the fields may be those of an older state.
  return judgeEach(context, steps, (step) => step(), { stopsIfOpen: true })
}

const unsaid = assumed('What becomes of a field that an update leaves out is not said.')
const isEmpty = ({ is }: Change) => ['null', '""', '[]', '{}'].includes(is)

/** A documented field that was not sent stays. That others stay, or those that follow other people's work, is assumed. */
function unsentIn(
  { shapes }: Context,
  resource: LifecycleResource,
  { before, after }: PartialUpdate,
  except: readonly string[],
): readonly Finding[] {
  const { type, update, aging = [], following = [] } = resource
  const isAssumedField = (field: string) =>
    [...aging, ...following].includes(field) || isAssumed(shapes.provenance.get(`${type}.${field}`))
  return changesIn(resource, before.shown, after.shown, except).map((change) => {
    const { field, was, is } = change
    return {
      ...(isEmpty(change) ? { code: dataLost } : { code: 'changed-unsent-field' }),
      at: `${type}.${field}`,
      sentence: `${update.field} changed ${field} of ${before.id} from ${was} to ${is}, which was not sent.`,
      exchanges: seenIn(after.shown),
      basis: isAssumedField(field) ? unsaid : undefined,
    }
  })
}

async function judgeGone(context: Context, resource: LifecycleResource, id: string, mutation: string): Promise<void> {
  const writer = writerOf(context)
  if (!(await writer.eventually(() => isGone(context, id), Boolean)))
    fail(`node still returns ${id} after ${mutation}.`, { code: 'not-deleted' })
  const listed = await writer.eventually(
    () => findById(context, resource, id),
    (it) => !it,
  )
  if (listed) fail(`The list still shows ${id} after ${mutation}.`, { code: 'still-listed' })
  if (listed === undefined) context.remark('The list is too long to search for the deleted object.')
  writer.gone(id)
}

/** One object is deleted and then two at once; another object of this run stays as it is. */
export const deletionCheck = (
  resource: LifecycleResource,
  mutation: string,
  deleting: Operation,
  promise: Pick<Check, 'id' | 'title' | 'basis'>,
  /** Judges what the mutation returned. */
  judgeAnswer: (
    context: Context,
    answer: unknown,
    ids: readonly string[],
    kept: string,
    evidence: readonly Exchange[],
  ) => unknown,
): Check => ({
  ...promise,
  at: `Mutation.${mutation}`,
  writes: resource.name,
  async run(context) {
    const first = await workingSubject(context, resource)
    const keptId = first.id
    const second = await workingSubject(context, resource, 'second')
    // All before the first deletion, because a wrong one may hit the object that was created next.
    const third = await unlessInconclusive(workingSubject(context, resource, 'third'))
    const fourth = third && (await unlessInconclusive(workingSubject(context, resource, 'fourth')))
    const judgeGroup = async (group: readonly Subject[], rest: readonly Subject[]) => {
      const others = await beforeWrites(context, resource, rest)
      if (!others[0]?.shown) inconclusive(`node does not return ${keptId}, which create-${resource.one}-node judges.`)
      const ids = group.map(({ id }) => id)
      const writer = writerOf(context)
      writer.removing(ids)
      const deleted = writer.change(withVariables(deleting, { items: ids }), ids)
      const { answer, judgeShape } = await answerTo(deleted, undefined)
      const evidence = context.last()
      await judgeAll(
        context,
        judgeShape,
        () => answer && judgeAnswer(context, answer[mutation], ids, keptId, evidence),
        () => judgeEach(context, ids, (id) => judgeGone(context, resource, id, mutation)),
        () => judgeUntouched(context, resource, others, mutation),
      )
    }
    const alone = [first, third, fourth].filter((it) => it !== undefined)
    const two = third && fourth && [third, fourth]
    if (!two) context.remark('Deleting two at once was not tried, because the server has no room for two.')
    await judgeWrites(context, [() => judgeGroup([second], alone), ...(two ? [() => judgeGroup(two, [first])] : [])])
  },
})
