/** The JSON Schema of world files, made of the rules that check them, so that editors complete and warn alike. */
import { worldForm } from './world-form.js'

export const worldSchema = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  $id: 'https://commerce-mock.invalid/world.schema.json',
  title: 'A world of commerce-mock',
  description:
    'Demo data for serve --world and seed --world: counts of what is generated, rows of what is written, or both.',
  ...worldForm.schema,
} as const

/** As it lies beside the ready worlds. */
export const worldSchemaText = (): string => `${JSON.stringify(worldSchema, null, 2)}\n`
