/** What all forks of a mock share: the machine it runs on, its schema and engine, and how its worlds begin. */
import type { GraphQLSchema } from 'graphql'
import { defaultHost, type Context } from '../../mocks/context.js'
import { createServiceProfile, createServiceSchema, hints, resolvers } from '../../mocks/service.js'
import { createFaultKit } from '../control/faults/apply.js'
import { Faults } from '../control/faults/faults.js'
import type { LogStore } from '../control/log.js'
import { createFacts } from '../control/requests/facts.js'
import { Journal, type JournalOptions } from '../control/requests/journal.js'
import type { Begun } from '../control/session.js'
import type { StateFolderOptions } from '../control/state-folder.js'
import { parseSchema, servedSchema, type ServedSchemaOptions } from '../schema/load.js'
import { provenanceOf } from '../schema/provenance.js'
import { createEngine } from '../server/graphql/engine.js'
import type { RowBudget } from '../server/graphql/row-budget.js'
import type { FrontDoorOptions } from '../server/http/front-door.js'
import { deepFreeze } from '../shared/json.js'
import { checkNames } from '../shared/mistakes.js'
import { hashText } from '../world/rng.js'
import type { World } from '../world/world.js'
import { beginningOf, worldAt, type Beginning, type Sources } from './beginning.js'
import { createFaultSource } from './faults.js'
import type { Scenario } from './files/readers.js'
import { ofWorld } from './files/world-file.js'
import type { MockOf } from './interfaces.js'
import {
  readHosts,
  readLimits,
  readToken,
  resetNames,
  type MockOptions,
  type Stopwatch,
  type WorldOptions,
} from './options.js'
import { createRecordTypes } from './records.js'
import { given, withRecords, withScenario } from './scenario.js'

/** The machine on which a mock runs: Node or a browser. */
export interface Platform<Mock> extends Sources {
  /** Our version, and our schema as text. */
  readonly ownPackage: () => { readonly version: string; readonly schema: string }
  /** Milliseconds since a fixed moment. Fake timers of a test must not stop it. */
  readonly elapsed: () => number
  /** Calls a function after so many milliseconds. Returns what cancels it. Fake timers of a test must not stop it. */
  readonly timer: (work: () => void, ms: number) => () => void
  readonly warn: (line: string) => void
  /** The page for a browser that opens the endpoint. */
  readonly graphiql?: FrontDoorOptions['graphiql']
  /** Opens a folder with the state of a mock. Throws an Error in one line. */
  readonly openState?: (options: StateFolderOptions) => LogStore
  /** See LogOptions. */
  readonly minGrowth?: number | undefined
  /** Adds what only this machine can do. `close` ends what the mock itself has open. */
  readonly complete: (mock: MockOf<Mock>, parts: Parts<Mock>, door: FrontDoorOptions, close: () => void) => Mock
}

/** What all forks of a mock share. */
export type Parts<Mock> = ReturnType<typeof createParts<Mock>>

export function createParts<Mock>(platform: Platform<Mock>, options: MockOptions, stopwatch: Stopwatch) {
  const profile = deepFreeze(createServiceProfile(options.profile))
  const sdl = options.schema ?? platform.ownPackage().schema
  const schema = schemaOf(sdl, { lenientInputs: options.lenientInputs, assumeValidSDL: options.schema === undefined })
  const notice = options.onUnexpected ?? platform.warn
  const report = reporter(notice)
  const limits = readLimits(options.limits)
  const { elapsed } = stopwatch
  const factsOf = createFacts(schema)
  const journal: JournalOptions = {
    max: limits.requests,
    schema,
    factsOf,
    provenance: () => provenanceOf(parseSchema(sdl)),
    elapsed: platform.elapsed,
    timer: platform.timer,
  }
  const typeOf = createRecordTypes(schema, resolvers)
  const faultSource = createFaultSource(options, platform.faultsOf, schema)
  function withRecordsOf({ records, clock }: Beginning, world: World, { placeOf }: Partial<Scenario> = {}): World {
    if (!records) return world
    const contextOfWorld = (it: World) => ({ ...contextOf({ profile }, it, undefined), atOnce: true })
    return withRecords(world, { records, at: clock.instant, typeOf, contextOf: contextOfWorld, placeOf })
  }
  return {
    platform,
    options,
    stopwatch,
    schema,
    schemaHash: hashText(sdl).toString(16),
    profile,
    limits,
    notice,
    report,
    journal: (now: () => number) => new Journal(journal, now),
    faults: () => new Faults(schema),
    token: readToken(options.token),
    hosts: readHosts(options.allow),
    engine: createEngine({ schema, limits, hints, keyedErrors: profile.error_form === 'keyed', report }),
    graphiql: platform.graphiql,
    typeOf,
    faultSource,
    faultKit: createFaultKit({ schema, factsOf, ready: faultSource.ready, elapsed: platform.elapsed }),
    /** Begins a session with these options in place of those of the mock. Without a scenario, the present one stays. */
    begin(changes: WorldOptions, present?: Begun): Begun {
      checkNames('option', changes, resetNames)
      const { scenario: kept } = (present?.beginning ?? {}) as Partial<Beginning>
      const { all, scenario } = withScenario(options, { scenario: kept, ...given(changes) }, platform.scenarioOf)
      const beginning: Beginning = {
        ...beginningOf(all, elapsed, platform),
        ...(scenario && { records: scenario.records, scenario: all.scenario }),
      }
      const generated = ofWorld(all.world, () => worldAt(beginning, elapsed, platform))
      const world = withRecordsOf(beginning, generated, scenario)
      const areKept = changes.scenario === undefined && present?.faults?.areSet
      return { beginning, world, faults: areKept ? present.faults : faultSource.initial(scenario?.faults) }
    },
    /** The faults of a mock that goes on with a log, which has none. */
    firstFaults() {
      const { scenario, scenarios } = options
      return faultSource.initial(scenario === undefined ? undefined : platform.scenarioOf(scenario, scenarios).faults)
    },
    recreate(given: object) {
      const beginning = given as Beginning
      return withRecordsOf(beginning, worldAt(beginning, elapsed, platform))
    },
  }
}

const schemas = new Map<string, GraphQLSchema>()

/** Mocks with our own schema share it, because a test may have a mock of its own, and the schema is most of its start. */
function schemaOf(sdl: string, options: ServedSchemaOptions): GraphQLSchema {
  const create = () => createServiceSchema(servedSchema(parseSchema(sdl), options))
  if (!options.assumeValidSDL) return create()
  const key = String(options.lenientInputs ?? false)
  const schema = schemas.get(key) ?? create()
  schemas.set(key, schema)
  return schema
}

export const contextOf = (
  { profile }: Pick<Parts<unknown>, 'profile'>,
  world: World,
  session: string | undefined,
  host?: string,
  rows?: RowBudget,
): Context => ({
  world,
  profile,
  host: session === undefined ? host : `${host ?? defaultHost}/s/${session}`,
  rows,
})

/** Logs unexpected errors under a number, which the response repeats. */
function reporter(log: (line: string) => void): (error: unknown) => string {
  let count = 0
  return (error) => {
    count += 1
    log(`Unexpected error ${count}: ${error instanceof Error ? `${error.name}: ${error.message}` : String(error)}`)
    return String(count)
  }
}
