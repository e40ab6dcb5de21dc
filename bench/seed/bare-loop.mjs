/** Sends recorded documents as fast as undici can, several at once, and reports the milliseconds to its parent. */
import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'

const [url, path, concurrency] = process.argv.slice(2)
const documents = JSON.parse(readFileSync(path, 'utf8'))
const dispatcher = new Agent()
const headers = { 'content-type': 'application/json', accept: 'application/json' }
const send = async (body) => {
  const answer = await request(url, { method: 'POST', headers, body, dispatcher })
  return JSON.parse(await answer.body.text())
}

const began = performance.now()
const work = async () => {
  for (let it = documents.pop(); it; it = documents.pop()) {
    const { data } = await send(it.create)
    if (!it.update) continue
    const update = JSON.parse(it.update)
    await send(JSON.stringify({ ...update, variables: { ...update.variables, id: data.createCustomer.id } }))
  }
}
documents.reverse()
await Promise.all(Array.from({ length: Number(concurrency) }, work))
process.send(performance.now() - began)
await dispatcher.close()
process.disconnect()
