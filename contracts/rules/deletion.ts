/** What a deletion promises: the objects are gone, and others stay. */
import { fail, inconclusive, type Check, type Context, type Exchange } from '../../src/contract/check.js'
import { withVariables, type Operation } from '../../src/contract/operation.js'
import type { LifecycleResource } from '../../src/writing/resource.js'
import { findById } from '../../src/writing/find.js'
import { answerTo, judgeAll, judgeEach, judgeWrites } from '../support/judge-each.js'
import { isGone } from '../support/shown.js'
import { unlessInconclusive, workingSubject } from '../support/subjects.js'
import { beforeWrites, judgeUntouched } from '../support/unchanged.js'
import { writerOf, type Subject } from '../support/writer.js'

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
      const { answer, judgeShape } = await answerTo(context, deleted, undefined)
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
