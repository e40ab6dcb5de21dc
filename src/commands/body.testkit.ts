/** The body of a request that a test's own server gets. */
import type { IncomingMessage } from 'node:http'

export async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}
