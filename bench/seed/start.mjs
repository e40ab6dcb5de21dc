/** How much longer `serve --world big-shop` takes from its start to its first answer than the default world. */
import { median, say, serve } from './serving.mjs'

const rounds = Number(process.argv[2] ?? 9)
const body = JSON.stringify({ query: '{ customers(query: "", first: 5) { edges { node { id full_name } } } }' })

/** Milliseconds from the start of the process to the whole first answer. */
async function timed(words) {
  const began = performance.now()
  const { url, stop } = await serve(words)
  const answer = await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  const { data } = await answer.json()
  const ms = performance.now() - began
  if (data.customers.edges.length !== 5) throw new Error('The first answer is not a page of five.')
  await stop()
  return ms
}

const times = { usual: [], big: [] }
for (let round = 0; round < rounds; round += 1) {
  times.usual.push(await timed([]))
  times.big.push(await timed(['--world', 'big-shop']))
}
const [usual, big] = [median(times.usual), median(times.big)]
say(`From start to first answer, ${rounds} rounds each, medians:`)
say(`serve                   ${Math.round(usual)} ms`)
say(`serve --world big-shop  ${Math.round(big)} ms`)
say(`difference: ${Math.round(big - usual)} ms (target: at most 300 ms)`)
