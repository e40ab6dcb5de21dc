/** Scenario files: world, clock, records and faults under one name. */
import * as z from 'zod'
import { faultsDefinition } from '../../control/faults/definition.js'
import type { Fault } from '../../control/faults/fault.js'
import type { FileKind } from '../../world-files/file-reader.js'
import type { RecordFields } from '../records.js'
import { instant, ownId } from './world-definition.js'
import type { WorldFile } from './world-file.js'

/**
 * A scenario as people write it, in a file or as the option `scenario`.
 * @example
 * const scenario: ScenarioFile = { world: 'small-shop', records: { Customer: [{ full_name: 'Ada Lovelace' }] }, faults: 'slow-3g' }
 */
export interface ScenarioFile {
  /** Path of the JSON Schema, for editors. */
  readonly $schema?: string | undefined
  /** What the scenario is for. */
  readonly about?: string | undefined
  /** A ready world by its name, a world file by its path from this file, or the content of such a file. */
  readonly world?: string | WorldFile | undefined
  /** When it starts: ISO 8601. */
  readonly now?: string | undefined
  /** Whether the clock stands still. */
  readonly frozen?: boolean | undefined
  /** Records by type. One whose `id` exists is changed, and any other is created. */
  readonly records?: Readonly<Record<string, readonly RecordFields[]>> | undefined
  /** Ready faults by their name, a file of faults by its path from this file, or faults. */
  readonly faults?: string | readonly Fault[] | undefined
}

const fields = z.record(z.string(), z.unknown())

const scenarioDefinition = z
  .strictObject({
    $schema: z.string().describe('Path of the JSON Schema of this file, for editors.'),
    about: z.string().describe('What this scenario is for.'),
    world: z
      .union([z.string().min(1), fields])
      .describe('A ready world, the path of a world file from this file, or the content of one.'),
    now: instant.describe('When it starts, unless --now is given: ISO 8601.'),
    frozen: z.boolean().describe('Whether the clock stands still. Default: false.'),
    records: z
      .record(z.string(), z.array(z.looseObject({ id: ownId.optional() })))
      .describe('Records by type. One whose id exists is changed, and any other is created.'),
    faults: z
      .union([z.string().min(1), faultsDefinition])
      .describe('Ready faults, the path of a file of faults from this file, or faults.'),
  })
  .partial()

export const scenarioKind: FileKind = {
  name: 'scenario',
  folder: 'scenarios',
  own: 'Give a file as a path, such as ./scenario.json; over HTTP, give its name in the folder --scenarios.',
  empty: 'Write at least {}, which is the default world.',
  shorter: 'Put the records in a world file with counts instead',
  definition: scenarioDefinition,
}

export const faultKind: FileKind = {
  name: 'fault',
  folder: 'faults',
  own: 'Give a file as a path, such as ./fault.json.',
  empty: [],
  shorter: 'Use fewer faults',
  definition: faultsDefinition,
}
