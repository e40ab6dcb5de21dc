/** Media types: which one a client prefers, by its Accept header. */

interface Range {
  readonly type: string
  readonly quality: number
}

/** The media type without parameters, in lower case. */
export const bareType = (header: string): string => (header.split(';')[0] as string).trim().toLowerCase()

/** The charset of a media type, in lower case. */
export const charsetOf = (header: string): string | undefined =>
  /;\s*charset\s*=\s*"?([^\s;"]*)/i.exec(header)?.[1]?.toLowerCase()

function rangesOf(accept: string): Range[] {
  return accept.split(',').flatMap((part) => {
    const type = bareType(part)
    const quality = Number(/;\s*q=([\d.]+)/i.exec(part)?.[1] ?? 1)
    return type === '' ? [] : [{ type, quality: Number.isNaN(quality) ? 0 : quality }]
  })
}

/** The quality of the most specific range for a type; 0 if there is none. */
function qualityOf(type: string, ranges: readonly Range[]): number {
  const names = [type, `${type.split('/')[0]}/*`, '*/*']
  return names.map((name) => ranges.find((it) => it.type === name)).find(Boolean)?.quality ?? 0
}

/** The type that the client prefers, the earlier one of equals; undefined if it accepts none. */
export function preferred<Type extends string>(accept: string | undefined, types: readonly Type[]): Type | undefined {
  if (accept === undefined || accept.trim() === '') return types[0]
  const ranges = rangesOf(accept)
  const best = Math.max(...types.map((type) => qualityOf(type, ranges)))
  return best > 0 ? types.find((type) => qualityOf(type, ranges) === best) : undefined
}
