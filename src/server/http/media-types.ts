/** Media types of requests and answers: which a client takes, by its Accept header. */

interface Range {
  readonly type: string
  readonly quality: number
}

/** The media type without parameters, in lower case. */
export const bareType = (header: string): string => (header.split(';')[0] as string).trim().toLowerCase()

/** The charsets that a media type names, in lower case. */
export function charsetsOf(header: string): string[] {
  // What stands in quotes is a value, also where it looks like another parameter.
  const parameters = [...header.matchAll(/;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;]*))/g)]
  return parameters
    .filter(([, name]) => name?.toLowerCase() === 'charset')
    .map(([, , inQuotes, plain]) => (inQuotes ?? plain ?? '').toLowerCase())
}

function rangesOf(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const type = bareType(part)
    const quality = Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1)
    return type === '' ? [] : [{ type, quality: Number.isNaN(quality) ? 0 : quality }]
  })
}

/** How much a client wants a type: the quality of the most exact range that names it, 0 where none does. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const names = [type, `${type.split('/')[0]}/*`, '*/*']
  for (const name of names) {
    const range = ranges.find((it) => it.type === name)
    if (range) return range.quality
  }
  return 0
}

/** The one of the types that the client wants most, the earlier of equals; undefined where it takes none. */
export function preferred<Type extends string>(accept: string | undefined, types: readonly Type[]): Type | undefined {
  if (accept === undefined || accept.trim() === '') return types[0]
  const ranges = rangesOf(accept)
  const best = Math.max(...types.map((type) => qualityOf(type, ranges)))
  return best > 0 ? types.find((type) => qualityOf(type, ranges) === best) : undefined
}
