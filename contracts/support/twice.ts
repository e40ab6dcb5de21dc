/** Judges a second time before it fails: somebody may change an object between two requests, but hardly twice. */
import { isBroken } from '../../src/contract/rejection.js'

/** @param judge reads anew if it is called `again`, and throws the failure */
export async function twice(judge: (again: boolean) => Promise<void>): Promise<void> {
  try {
    await judge(false)
  } catch (error) {
    if (!isBroken(error)) throw error
    await judge(true)
  }
}
