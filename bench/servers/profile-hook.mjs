/** Loaded into a server before its own code: records a CPU profile when the bench asks for it. */
import { Session } from 'node:inspector/promises'

const session = new Session()
session.connect()
await session.post('Profiler.enable')
await session.post('Profiler.setSamplingInterval', { interval: 200 })

const answers = {
  start: async () => void (await session.post('Profiler.start')),
  stop: async () => (await session.post('Profiler.stop')).profile,
}

process.on('message', async (name) => process.send({ [name]: (await answers[name]()) ?? true }))

// As functions with a file of their own: what is built in counts as its caller.
for (const name of ['parse', 'stringify']) {
  const own = JSON[name]
  JSON[name] = (...args) => own(...args)
}
