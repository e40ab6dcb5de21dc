/** A number with its noun: `1 request`, `2 requests`. */
export const countOf = (count: number, one: string, more = `${one}s`): string => `${count} ${count === 1 ? one : more}`
