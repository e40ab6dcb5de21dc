/** What resolvers are given besides their arguments. */
import type { Profile } from '../src/schema/profile.js'
import type { World } from '../src/world/world.js'

export interface Context {
  readonly world: World
  readonly profile: Profile
  /** The host, and the port where it is not the usual one, under which the client reached the mock. */
  readonly host?: string | undefined
}

/** The address of a picture that the mock itself serves, without a protocol. */
export const pictureUrl = (context: Partial<Context>, folder: string, id: string): string =>
  `//${context.host ?? 'localhost:4000'}/_mock/${folder}/${id}.svg`

type Json = Record<string, unknown>

/** A resolver of a root field or of a field of a record. */
export type Resolver<Parent, Arguments extends object = Json> = (
  parent: Parent,
  args: Arguments,
  context: Context,
) => unknown
