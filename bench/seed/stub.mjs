/** A server that makes nothing: it answers each creation at once, and looks at the memory of its client a thousand times. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { buildSchema, graphql } from 'graphql'

const rows = Number(process.argv[2])
const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'))
const page = { edges: [], pageInfo: { endCursor: null, hasNextPage: false } }
const rootValue = { account: { id: 'a', stores: [], integrations: [] }, customers: page, segments: page }

let client
process.on('message', (pid) => (client = pid))
process.on('disconnect', () => process.exit(0))
const rssKib = () => Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${client}/status`, 'utf8'))[1])

let made = 0
function created() {
  made += 1
  if (made % (rows / 1000) === 0) process.send({ part: (made / rows) * 100, rssKib: rssKib() })
  return { createCustomer: { id: `cus_${String(made).padStart(21, '0')}` } }
}

const server = createServer(async (request, response) => {
  const { query, variables, operationName } = JSON.parse(await text(request))
  const answer =
    operationName === 'CreateCustomer'
      ? { data: created() }
      : operationName === 'UpdateCustomer'
        ? { data: { updateCustomer: { id: variables.id } } }
        : await graphql({ schema, source: query, rootValue, variableValues: variables })
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
})
server.listen(0, '127.0.0.1', () => process.send(`http://127.0.0.1:${server.address().port}/api/v2`))
