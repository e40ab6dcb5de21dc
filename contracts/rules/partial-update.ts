/** What an update promises of the fields that it is not sent, and of other objects. */
import {
  assumed,
  fail,
  inconclusive,
  skip,
  type Check,
  type Context,
  type Data,
  type Finding,
} from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { dataLost } from '../../src/contract/verdict.js'
import { isAssumed } from '../../src/schema/provenance.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { answerTo, failAll, judgeAll, judgeEach, judgeWrites } from '../support/judge-each.js'
import { upToDate } from '../support/last-write.js'
import { newInput, partOf, unlessInconclusive, update } from '../support/subjects.js'
import {
  beforeWrite,
  beforeWrites,
  changesIn,
  judgeUntouched,
  subjectBetween,
  type Before,
  type Change,
} from '../support/unchanged.js'
import { accepted } from '../support/writer.js'

export function partialUpdateCheck(resource: LifecycleResource): Check {
  const { name: writes, one, update: updating } = resource
  return {
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
        const { answer: answered, judgeShape } = await answerTo(context, updated, {})
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
  }
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
  // If the other objects cannot be judged, reads are late, and the fields may be those of an older state.
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
