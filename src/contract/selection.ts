/** Selections of what a server shows of a type. */
import { getNamedType, isLeafType, isObjectType, type GraphQLField } from 'graphql'
import type { Context } from './check.js'

/** Whether a field is selected: undefined, or what is selected inside it. */
export type Wanted = (field: GraphQLField<unknown, unknown>) => Wanted | undefined

/** All fields, down to a depth, because types may be recursive. No type of the service is deeper. */
export const everything =
  (depth = 3): Wanted =>
  () =>
    depth > 0 ? everything(depth - 1) : undefined

/** The wanted fields that the server shows of a type. */
export async function selectionOf(
  context: Pick<Context, 'shapes' | 'shows'>,
  typeName: string,
  wanted: Wanted,
): Promise<string> {
  const type = context.shapes.schema.getType(typeName)
  const selected: string[] = []
  for (const field of isObjectType(type) ? Object.values(type.getFields()) : []) {
    const { name, type: given } = field
    const inside = wanted(field)
    if (!inside || !(await context.shows(`${typeName}.${name}`))) continue
    const named = getNamedType(given)
    const inner = isLeafType(named) ? '' : await selectionOf(context, named.name, inside)
    if (isLeafType(named)) selected.push(name)
    else if (inner !== '') selected.push(`${name} { ${inner} }`)
  }
  return selected.join(' ')
}
