/** Reads faults: checks them against their definition and the schema, and makes them ready to be applied. */
import {
  isInterfaceType,
  isObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import * as z from 'zod'
import { deepFreeze } from '../../shared/deep-freeze.js'
import { readDuration } from '../../shared/duration.js'
import { knownKeys, mistakeLines, mistakesOf, type Mistake, type Path } from '../../shared/mistakes.js'
import { quote } from '../../shared/quote.js'
import { suggestion } from '../../shared/suggestion.js'
import { faultsDefinition, type ParsedFault } from './definition.js'
import type { Fault } from './fault.js'
import { createDraw } from './draw.js'
import { listFieldsOf } from './lists.js'
import { withConcrete, type Subject } from './subject.js'

/** A fault that is ready to be applied. */
export interface Rule {
  /** As it was given. */
  readonly given: Fault
  readonly fault: ParsedFault
  /** Its name, else its position in the list. */
  readonly label: string
  /** Whether `on` selects an operation, or a picture. */
  matches(subject: Subject | 'picture'): boolean
  /** Whether chance selects the n-th of these requests. */
  isDrawn(n: number): boolean
  /** How long the n-th of these requests waits, in milliseconds. */
  delayOf(n: number): number
  /** The fields that fail or are null, by the coordinates of their types. */
  readonly at: ReadonlySet<string>
}

/**
 * Checks faults. Throws an Error with one line for each mistake; `placeOf` says where that is.
 *
 * @example
 * session.faults.set(readFaults([{ status: 503 }], schema))
 */
export function readFaults(given: unknown, schema: GraphQLSchema, placeOf: (path: Path) => string = placeInList) {
  const { data = [], error } = faultsDefinition.safeParse(given, { error: knownKeys })
  const mistakes = error ? mistakesOf(error) : data.flatMap((it, at) => mistakesAbout(it, at, schema))
  if (mistakes.length > 0) throw new Error(mistakeLines(mistakes, placeOf))
  const kept = deepFreeze(structuredClone(given)) as readonly Fault[]
  return data.map((fault, position) => ruleOf(fault, kept[position] as Fault, position, schema))
}

const placeInList = (path: Path) => z.core.toDotPath(['faults', ...path])

export const listOf = <Item>(given: Item | readonly Item[] = []): readonly Item[] =>
  Array.isArray(given) ? (given as readonly Item[]) : [given as Item]

/** Milliseconds. */
export const timeOf = (given: number | string): number =>
  typeof given === 'number' ? given : (readDuration(given) as number)

function ruleOf(fault: ParsedFault, given: Fault, position: number, schema: GraphQLSchema): Rule {
  const { on = {}, delay = 0, list } = fault
  const at = withConcrete(listOf(fault.error?.at ?? fault.null), schema)
  /** What an operation must select so that the fault can be seen. */
  const seenIn = list === undefined ? at : new Set(list === 'endless' ? [hasNextPage] : listFieldsOf(schema).keys())
  const [operations, fields] = [new Set(listOf(on.operation)), new Set(listOf(on.field))]
  const coordinates = withConcrete(listOf(on.coordinate), schema)
  const [low, high] = (Array.isArray(delay) ? delay : [delay, delay]).map(timeOf) as [number, number]
  const seed = on.seed ?? 1
  const drawnShare = createDraw('share', seed, position)
  const drawnDelay = createDraw('delay', seed, position)
  return {
    given,
    fault,
    label: fault.name ?? String(position),
    at,
    matches(subject) {
      if (subject === 'picture' || on.pictures) return subject === 'picture' && on.pictures === true
      if (on.kind !== undefined && on.kind !== subject.kind) return false
      if (on.operation !== undefined && !operations.has(subject.operation ?? '')) return false
      return (
        isAny(fields, subject.fields) && isAny(coordinates, subject.coordinates) && isAny(seenIn, subject.coordinates)
      )
    },
    isDrawn: (n) => on.share === undefined || drawnShare(n) < on.share,
    delayOf: (n) => low + (high - low) * (low === high ? 0 : drawnDelay(n)),
  }
}

/** Whether one of them is selected, or none is wanted. */
const isAny = (wanted: ReadonlySet<string>, selected: ReadonlySet<string>) =>
  wanted.size === 0 || [...wanted].some((it) => selected.has(it))

const hasNextPage = 'PageInfo.hasNextPage'

function mistakesAbout(fault: ParsedFault, position: number, schema: GraphQLSchema): readonly Mistake[] {
  const { on = {}, error } = fault
  const mistakes: Mistake[] = []
  const check = (path: Path, names: string | readonly string[] | undefined, problemOf: (name: string) => string) => {
    for (const name of listOf(names)) {
      const text = problemOf(name)
      if (text !== '') mistakes.push({ path: [position, ...path], text })
    }
  }
  const coordinate = (it: string) => coordinateProblem(it, schema)
  check(['on', 'field'], on.field, (it) => rootFieldProblem(it, schema))
  check(['on', 'coordinate'], on.coordinate, coordinate)
  check(['error', 'at'], error?.at, coordinate)
  check(['null'], fault.null, coordinate)
  const alone = on.pictures ? (['error', 'null', 'list', 'tokenExpires'] as const).find((it) => fault[it]) : undefined
  if (alone) mistakes.push({ path: [position, alone], text: 'cannot happen to pictures.' })
  const other = on.pictures ? (['operation', 'kind', 'field', 'coordinate'] as const).find((it) => on[it]) : undefined
  if (other) mistakes.push({ path: [position, 'on', other], text: 'cannot be beside pictures.' })
  return mistakes
}

function rootFieldProblem(name: string, schema: GraphQLSchema): string {
  const names = [schema.getQueryType(), schema.getMutationType()].flatMap((it) => Object.keys(it?.getFields() ?? {}))
  return names.includes(name) ? '' : `There is no root field ${quote(name)}. ${suggestion(name, names)}`
}

/** What is wrong with the coordinate of an output field; nothing if it is empty. */
function coordinateProblem(coordinate: string, schema: GraphQLSchema): string {
  const [, typeName, fieldName = ''] = /^(\w+)\.(\w+)$/.exec(coordinate) ?? []
  if (typeName === undefined) return `${quote(coordinate)} is not a field. Write it as Customer.expenses.`
  const types = Object.values(schema.getTypeMap()).filter(
    (it): it is GraphQLObjectType | GraphQLInterfaceType =>
      (isObjectType(it) || isInterfaceType(it)) && !it.name.startsWith('__'),
  )
  const type = types.find(({ name }) => name === typeName)
  if (!type) {
    const names = types.map(({ name }) => name)
    return `There is no type ${typeName}. ${suggestion(typeName, names)}`
  }
  const fields = Object.keys(type.getFields())
  return fields.includes(fieldName) ? '' : `There is no field ${coordinate}. ${suggestion(fieldName, fields)}`
}
