/** Secrets are taken out of texts, in every form in which they are likely to stand there. */

export type Redact = (text: string) => string

const scheme = /^(?:bearer|basic|token) +/i

/** Shorter ones stand in too many words by chance. */
const leastInside = 4

/** A function that replaces each secret by `[secret]`. To be called before a text is cut: half a secret is not found. */
export function createRedactor(secrets: readonly string[]): Redact {
  const given = secrets.flatMap((it) => [it.trim(), it.trim().replace(scheme, '')])
  const forms = [...new Set(given.filter(Boolean).flatMap(formsOf))]
  if (forms.length === 0) return (text) => text
  // The longest first, so that a secret which holds another goes as a whole.
  const pattern = forms.sort((a, b) => b.length - a.length).map(patternOf)
  const any = new RegExp(pattern.join('|'), 'gu')
  return (text) => text.replace(any, '[secret]')
}

function formsOf(secret: string): string[] {
  if (secret.length < leastInside) return [secret]
  const percent = percentEncoded(secret)
  const base64 = [secret, percent].map((it) => Buffer.from(it, 'utf8').toString('base64').replace(/=+$/, ''))
  return [
    secret,
    percent,
    percent.replace(/%[0-9A-F]{2}/g, (it) => it.toLowerCase()),
    percent.replaceAll('%20', '+'),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/'),
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
    ...base64,
    ...base64.map((it) => it.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** Half a surrogate pair cannot be encoded, and is no reason to fail where a secret is to be hidden. */
function percentEncoded(text: string): string {
  try {
    return encodeURIComponent(text)
  } catch {
    return text
  }
}

function patternOf(form: string): string {
  const literal = form.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  return form.length < leastInside ? `(?<![\\p{L}\\p{N}_])${literal}(?![\\p{L}\\p{N}_])` : literal
}
