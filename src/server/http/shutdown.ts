/** How a server ends: what is under way is answered, and what takes too long is told so. */
import type { Server } from 'node:http'
import { Server as NetServer } from 'node:net'
import { refusal, type Outgoing } from './response.js'

/** How long those that were cut off have to take their answer. */
const farewellMs = 500

const cutOff = refusal(
  503,
  'SHUTTING_DOWN',
  'The mock was ended before it could answer. Ask again once it has started.',
)

/**
 * So many turns of the event loop without a request, and all that was sent before has been read: connections that waited to
 * be accepted, and what came on them. Whoever sends without end is not waited for longer than that.
 */
const quietTurns = 5
const maxTurns = 100

/** An exchange under way. */
export interface Answerable {
  answer(outgoing: Outgoing): void
}

export interface Ending {
  /** Whether the server takes no more connections: each answer is then the last of its own. */
  begun(): boolean
  /** Takes an exchange that begins. */
  enter(exchange: Answerable): void
  /** Lets go of one that is answered. */
  leave(exchange: Answerable): void
  /** Takes no more connections, answers what is under way, and ends after so long by force. */
  end(graceMs: number): Promise<void>
}

export function createEnding(server: Server): Ending {
  const waiting = new Set<Answerable>()
  let begun = false
  /** Turns without a request. */
  let quiet = 0
  return {
    begun: () => begun,
    enter(exchange) {
      quiet = 0
      waiting.add(exchange)
    },
    leave: (exchange) => void waiting.delete(exchange),
    end: (graceMs) =>
      new Promise((resolve) => {
        begun = true
        let force = setTimeout(() => {
          const late = [...waiting]
          for (const it of late) it.answer(cutOff)
          force = setTimeout(() => server.closeAllConnections(), late.length > 0 ? farewellMs : 0)
        }, graceMs)
        const close = () => {
          // The close of node:http would first end connections that only look idle because they were not read yet.
          NetServer.prototype.close.call(server, () => {
            clearTimeout(force)
            resolve()
          })
          server.closeIdleConnections()
        }
        let turns = 0
        quiet = 0
        const turn = () => {
          turns += 1
          quiet += 1
          if (quiet < quietTurns && turns < maxTurns) setImmediate(turn)
          else close()
        }
        setImmediate(turn)
      }),
  }
}
