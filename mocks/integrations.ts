/** Integrations with other platforms. Their tokens are not stored. */
import { define, type RecordOf } from '../src/world/definition.js'
import { accountOf } from './account.js'
import { takeRows, type Context } from './context.js'
import { pixelsOf } from './pixels.js'
import { existing, type NamedRow } from './updates.js'

interface Stored {
  readonly platform: string
  readonly label: string
  readonly details: { readonly pixels: readonly string[] } | null
}

export type Integration = RecordOf<Stored>

export const integrations = define<Stored>({
  name: 'Integration',
  idPrefix: 'int_',
  stored: {
    platform: () => 'facebook',
    label: (_, row) => (row.index === 0 ? 'Facebook Conversions API' : `Facebook Conversions API ${row.index + 1}`),
    details: (_, __, origin) => ({ pixels: pixelsOf('facebook_pixels', origin).map(({ value }) => value) }),
  },
})

/** An integration of a world file, or the input of the mutation. Its token is a secret, so it is not stored. */
export interface IntegrationRow extends NamedRow {
  /** The default is facebook. */
  readonly platform?: string
  readonly label: string
  readonly pixels?: readonly string[] | null
}

export const integrationOf = ({ platform = 'facebook', label, pixels }: IntegrationRow) => ({
  platform,
  label,
  details: pixels === null ? null : { pixels: pixels ?? [] },
})

export const integrationResolvers = {
  Mutation: {
    createConversionApiFacebookIntegration: (
      _: unknown,
      { node: input }: { node: IntegrationRow },
      { world }: Context,
    ) => world.create(integrations, integrationOf(input)),
    removeIntegration(_: unknown, { id }: { id: string }, context: Context) {
      context.world.remove(integrations, existing(context, integrations, id).index)
      return accountOf(context.world)
    },
  },
  Account: {
    integrations: (_: unknown, __: object, context: Context): readonly Integration[] =>
      takeRows(context, [...context.world.all(integrations)]),
  },
}
