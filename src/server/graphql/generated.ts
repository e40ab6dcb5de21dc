/**
 * Functions made from source text, which V8 can make fast because each has the names of one query in it: read by a name
 * that comes as a value, a member takes ten times as long. Names of GraphQL are all that gets into the text.
 */

const nameOfGraphql = /^[_A-Za-z][_0-9A-Za-z]*$/

/** Throws for what is no name, and for the one that would set a prototype. */
function checked(name: string): string {
  if (!nameOfGraphql.test(name) || name === '__proto__') throw new Error(`${name} cannot be written into a function.`)
  return name
}

/** Reads the member of this name. */
export const readerOf = (name: string) =>
  new Function('source', `return source.${checked(name)}`) as (source: unknown) => unknown

type Read<State> = (source: unknown, state: State) => unknown

/** Makes an object with these members, in their order, each of what its function gives. */
export function makerOf<State>(members: readonly { readonly name: string; readonly read: Read<State> }[]) {
  const reads = members.map(({ read }) => read)
  const taken = reads.map((_, i) => `const r${i} = reads[${i}];`)
  const given = members.map(({ name }, i) => `${checked(name)}: r${i}(source, state)`)
  const text = `${taken.join('')} return (source, state) => ({ ${given.join(', ')} })`
  const make = new Function('reads', text) as (reads: readonly Read<State>[]) => Read<State>
  return make(reads) as (source: unknown, state: State) => Record<string, unknown>
}
