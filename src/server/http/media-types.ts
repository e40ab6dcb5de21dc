/** Media types: which one a client prefers, by its Accept header. */

/** The media type without parameters, in lower case. */
export const bareType = (header: string): string => (header.split(';')[0] as string).trim().toLowerCase()

/** The type that the client prefers, the earlier one of equals; undefined if it accepts none. */
export function preferred<Type extends string>(accept: string, types: readonly Type[]): Type | undefined {
  if (accept.trim() === '') return types[0]
  const qualities = new Map(accept.split(',').map((part) => [bareType(part), qualityOf(part)]))
  // The most specific range of a type counts.
  const rated = types.map((type) => ({
    type,
    quality: qualities.get(type) ?? qualities.get(type.replace(/\/.*/, '/*')) ?? qualities.get('*/*') ?? 0,
  }))
  const best = Math.max(...rated.map(({ quality }) => quality))
  return best > 0 ? rated.find(({ quality }) => quality === best)?.type : undefined
}

const qualityOf = (range: string): number => Number(/;\s*q=([\d.]+)/i.exec(range)?.[1] ?? 1) || 0
