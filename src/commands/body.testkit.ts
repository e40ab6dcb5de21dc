/** Reads the body of a request to a server of a test. */
import type { IncomingMessage } from 'node:http'

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
