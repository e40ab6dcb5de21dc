/** How a server ends: what is under way is answered, and what takes too long is told so. */
import type { Server } from 'node:http'
import { refusal, type Outgoing } from './exchange.js'

/** How long those that were cut off have to take their answer. */
const farewellMs = 500

const cutOff = refusal(
  503,
  'SHUTTING_DOWN',
  'The mock was ended before it could answer. Ask again once it has started.',
)

export interface Ending {
  /** Whether the server takes no more connections: each answer is then the last of its own. */
  begun(): boolean
  /** What a promise gives, or the answer of those that are cut off if they are before. */
  orCutOff(answering: Promise<Outgoing>): Promise<Outgoing>
  /** Takes no more connections, answers what is under way, and ends after so long by force. */
  end(graceMs: number): Promise<void>
}

export function createEnding(server: Server): Ending {
  const waiting = new Set<(outgoing: Outgoing) => void>()
  let begun = false
  return {
    begun: () => begun,
    orCutOff: (answering) =>
      new Promise((resolve, reject) => {
        waiting.add(resolve)
        answering.then(
          (outgoing) => {
            waiting.delete(resolve)
            resolve(outgoing)
          },
          (error: unknown) => {
            waiting.delete(resolve)
            reject(error as Error)
          },
        )
      }),
    end: (graceMs) =>
      new Promise((resolve) => {
        begun = true
        let force = setTimeout(() => {
          for (const answer of waiting) answer(cutOff)
          force = setTimeout(() => server.closeAllConnections(), waiting.size > 0 ? farewellMs : 0)
        }, graceMs)
        server.close(() => {
          clearTimeout(force)
          resolve()
        })
      }),
  }
}
