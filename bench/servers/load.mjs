/** The load, a process of its own: so many clients at once, and how long each answer took. */
import { client, isGood, requestOf } from './client.mjs'

async function run({ port, bodies, clients }) {
  const count = bodies.length
  const requests = bodies.map((body) => requestOf(port, body))
  const times = new Float64Array(count)
  let sent = 0
  let answered = 0
  let errors = 0
  const next = () => requests[sent++]
  const done = (ms, answer) => {
    times[answered++] = ms
    if (!isGood(answer)) errors++
  }
  const began = performance.now()
  await Promise.all(Array.from({ length: clients }, () => client(port, next, done)))
  const seconds = (performance.now() - began) / 1000
  times.sort()
  const at = (share) => times[Math.min(count - 1, Math.floor(count * share))]
  return { perSecond: count / seconds, p50: at(0.5), p99: at(0.99), errors }
}

process.on('message', (plan) =>
  run(plan).then(
    (result) => process.send(result),
    (error) => process.send({ failed: String(error) }),
  ),
)
