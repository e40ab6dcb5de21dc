/** A light client of HTTP/1.1: it keeps its connection and sends one request after another. */
import { connect } from 'node:net'

const headOf = (port, length) =>
  `POST /api/v2 HTTP/1.1\r\nHost: localhost:${port}\r\nContent-Type: application/json\r\n` +
  `Accept: application/json\r\nContent-Length: ${length}\r\n\r\n`

export const requestOf = (port, body) => Buffer.from(headOf(port, Buffer.byteLength(body)) + body)

/** Where the body begins, once the answer is whole; 0 before that. */
function wholeFrom(answer) {
  const head = answer.indexOf('\r\n\r\n')
  if (head < 0) return 0
  const [, length] = /\r\ncontent-length: *(\d+)/i.exec(answer.latin1Slice(0, head)) ?? []
  const whole =
    length === undefined ? answer.indexOf('\r\n0\r\n\r\n', head) > 0 : answer.length >= head + 4 + Number(length)
  return whole ? head + 4 : 0
}

export const isGood = (answer) => answer.latin1Slice(9, 12) === '200' && !answer.includes('"errors":')

/** One client. `next` gives a request or undefined, `done` takes each answer. Resolves when there is no next one. */
export function client(port, next, done) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    let began = 0
    let answer
    const send = () => {
      const request = next()
      if (!request) {
        socket.destroy()
        return resolve()
      }
      began = performance.now()
      socket.write(request)
    }
    socket.on('connect', send)
    socket.on('data', (chunk) => {
      answer = answer ? Buffer.concat([answer, chunk]) : chunk
      const body = wholeFrom(answer)
      if (!body) return
      const whole = answer
      answer = undefined
      done(performance.now() - began, whole, body)
      send()
    })
    socket.on('error', reject)
    socket.on('end', () => reject(new Error('The server closed a connection.')))
  })
}
