/** Judges a second time before it fails: somebody may change an object between two requests, but hardly twice. */
import type { Context } from '../../src/contract/check.js'
import { failureOf, seenTwice } from './judge-each.js'

/** @param judge reads anew if it is called `again`, and throws the failure */
export async function twice(context: Context, judge: (again: boolean) => Promise<void>): Promise<void> {
  const first = await failureOf(context, () => judge(false))
  const second = first && (await failureOf(context, () => judge(true)))
  const failure = second && seenTwice(first, second)
  if (failure) throw failure
}
