/** Removes secrets from texts, in every usual encoding. */

export type Redact = (text: string) => string

const scheme = /^(?:bearer|basic|token) +/i

/** Shorter secrets also occur inside ordinary words. */
const minInsideWords = 4

/** A function that replaces each secret by `[secret]`. Call it before a text is cut: half a secret is not found. */
export function createRedactor(secrets: readonly string[]): Redact {
  const values = secrets.flatMap((it) => [it.trim(), it.trim().replace(scheme, '')])
  const encoded = [...new Set(values.filter(Boolean).flatMap(encodingsOf))]
  if (encoded.length === 0) return (text) => text
  // Longest first, so that a secret that contains another is replaced as a whole.
  const patterns = encoded.sort((a, b) => b.length - a.length).map(patternOf)
  const any = new RegExp(patterns.join('|'), 'gu')
  return (text) => text.replace(any, '[secret]')
}

function encodingsOf(secret: string): string[] {
  if (secret.length < minInsideWords) return [secret]
  // A lone surrogate cannot be encoded; Buffer replaces it.
  const percent = encodeURIComponent(Buffer.from(secret, 'utf8').toString('utf8'))
  const json = JSON.stringify(secret).slice(1, -1)
  const base64 = [secret, percent].map((it) => Buffer.from(it, 'utf8').toString('base64').replace(/=+$/, ''))
  return [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (it) => it.toLowerCase()),
    percent.replaceAll('%20', '+'),
    json,
    json.replaceAll('/', '\\/'),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ...base64,
    ...base64.map((it) => it.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

function patternOf(text: string): string {
  const literal = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return text.length < minInsideWords ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal
}
