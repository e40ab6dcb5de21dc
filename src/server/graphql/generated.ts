/** Functions generated from source text, which V8 optimizes for one shape; only GraphQL names get into the text. */

const graphqlName = /^[_A-Za-z][_0-9A-Za-z]*$/

/** Throws for anything but a name, and for `__proto__`, which would set the prototype. */
function checked(name: string): string {
  if (!graphqlName.test(name) || name === '__proto__') throw new Error(`Cannot generate code for the name ${name}.`)
  return name
}

/** Makes a function that reads the property `name`. */
export const readerOf = (name: string) =>
  new Function('source', `return source.${checked(name)}`) as (source: unknown) => unknown

type Read<State> = (source: unknown, state: State) => unknown

/** Makes a function that builds an object with these members, in this order. */
export function makerOf<State>(members: readonly { readonly name: string; readonly read: Read<State> }[]) {
  const reads = members.map(({ read }) => read)
  const constants = reads.map((_, i) => `const r${i} = reads[${i}];`)
  const entries = members.map(({ name }, i) => `${checked(name)}: r${i}(source, state)`)
  const text = `${constants.join('')} return (source, state) => ({ ${entries.join(', ')} })`
  const make = new Function('reads', text) as (reads: readonly Read<State>[]) => Read<State>
  return make(reads) as (source: unknown, state: State) => Record<string, unknown>
}
