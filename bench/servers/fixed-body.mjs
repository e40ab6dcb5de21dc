/** Rival (c), no rival but the floor: node:http that parses the request and sends a body of the size that ours had. */
import { createServer } from 'node:http'

/** How many bytes, by the name of the operation. */
const sizes = JSON.parse(process.argv[2])
const bodies = Object.fromEntries(
  Object.entries(sizes).map(([name, size]) => [name, Buffer.from(JSON.stringify({ data: '' }).padEnd(size))]),
)

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const { operationName } = JSON.parse(Buffer.concat(chunks))
    const body = bodies[operationName]
    response.writeHead(200, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': body.length })
    response.end(body)
  })
})
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://localhost:${server.address().port}/api/v2\n`))
