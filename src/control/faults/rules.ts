/** Reads faults: checks them against their definition and the schema, and makes them ready to be applied. */
import {
  isAbstractType,
  isInterfaceType,
  isObjectType,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import * as z from 'zod'
import { deepFreeze } from '../../shared/json.js'
import { mistakeLines, suggestion, validated, type Mistake, type Path } from '../../shared/mistakes.js'
import { quote } from '../../shared/text.js'
import type { OperationFacts } from '../requests/facts.js'
import { faultsDefinition, timeOf } from './definition.js'
import type { Fault } from './fault.js'
import { listFieldsOf } from './lists.js'

/** A request that faults may hit. */
export interface IncomingRequest {
  readonly subject: OperationFacts | 'picture'
  /** Whether its operation can be executed. */
  readonly isValid: boolean
  readonly variables: Readonly<Record<string, unknown>>
  /** Its bearer token, empty without one. */
  readonly token: string
  /** The time by the clock of the mock. */
  readonly now: number
  /** Milliseconds since a fixed moment. */
  readonly elapsed: number
}

/** A fault that is ready to be applied. */
export interface ReadyFault {
  readonly fault: Fault
  /** Milliseconds. */
  readonly delay: readonly [min: number, max: number]
  /** Whether `on` selects a request, and the request can show the fault. */
  matches(request: Pick<IncomingRequest, 'subject' | 'isValid'>): boolean
  /** Whether a request that matches is for the first page of a list, and the fault is about further ones. */
  isBefore(request: Pick<IncomingRequest, 'subject' | 'variables'>): boolean
  /** The fields that fail or are null, by the coordinates of their types. */
  readonly at: ReadonlySet<string>
}

/**
 * Checks faults. Throws an Error with one line for each mistake; `placeOf` says where that is.
 *
 * @example
 * readFaults([{ status: 503 }], schema)
 */
export function readFaults(
  given: unknown,
  schema: GraphQLSchema,
  placeOf: (path: Path) => string = placeInList,
): readonly ReadyFault[] {
  const faults: readonly Fault[] = validated(faultsDefinition, given, placeOf)
  const mistakes = faults.flatMap((it, at) => mistakesAbout(it, at, schema))
  if (mistakes.length > 0) throw new Error(mistakeLines(mistakes, placeOf))
  return faults.map((it) => readyFaultOf(deepFreeze(it), schema))
}

const placeInList = (path: Path) => z.core.toDotPath(['faults', ...path])

export const listOf = <Item>(given: Item | readonly Item[] = []): readonly Item[] =>
  Array.isArray(given) ? (given as readonly Item[]) : [given as Item]

function readyFaultOf(fault: Fault, schema: GraphQLSchema): ReadyFault {
  const { on = {}, delay = 0, list } = fault
  const at = alike(listOf(fault.error?.at ?? fault.null), schema)
  const lists = new Set(list === undefined || list === 'endless' ? [] : pagedFields(schema, list))
  /** What an operation must select so that the fault can be seen. */
  const seenIn = list === 'endless' ? new Set([hasNextPage]) : list ? alike(lists, schema) : at
  const [operations, fields] = [new Set(listOf(on.operation)), new Set(listOf(on.field))]
  const coordinates = alike(listOf(on.coordinate), schema)
  const isExecuted = Boolean(fault.error ?? fault.null ?? list)
  return {
    fault,
    delay: (typeof delay === 'object' ? delay : [delay, delay]).map(timeOf) as [number, number],
    at,
    matches({ subject, isValid }) {
      if (subject === 'picture' || on.pictures) return subject === 'picture' && on.pictures === true
      if (isExecuted && !isValid) return false
      if (on.kind !== undefined && on.kind !== subject.kind) return false
      if (on.operation !== undefined && !operations.has(subject.name ?? '')) return false
      return (
        isAny(fields, subject.fields) && isAny(coordinates, subject.coordinates) && isAny(seenIn, subject.coordinates)
      )
    },
    isBefore: ({ subject, variables }) => lists.size > 0 && subject !== 'picture' && !goesOn(subject, variables, lists),
  }
}

/** The lists that can misbehave in a way: a list without records of a type of its own cannot grow. */
const pagedFields = (schema: GraphQLSchema, way: Fault['list']) =>
  [...listFieldsOf(schema)].flatMap(([coordinate, { type }]) => (way === 'grows' && !type ? [] : [coordinate]))

/** Whether one of them is selected, or none is wanted. */
const isAny = (wanted: ReadonlySet<string>, selected: readonly string[]) =>
  wanted.size === 0 || selected.some((it) => wanted.has(it))

/** With the same fields of the types of an interface, and of the interfaces of these: queries select either. */
const alike = (coordinates: Iterable<string>, schema: GraphQLSchema): ReadonlySet<string> =>
  new Set(
    [...coordinates].flatMap((coordinate) => {
      const [typeName = '', field] = coordinate.split('.')
      const type = schema.getType(typeName)
      const types = isAbstractType(type) ? schema.getPossibleTypes(type) : isObjectType(type) ? [type] : []
      return [coordinate, ...types.flatMap((it) => [it, ...it.getInterfaces()]).map(({ name }) => `${name}.${field}`)]
    }),
  )

/** Whether one of these lists goes on after a cursor. */
const goesOn = (
  { cursors }: OperationFacts,
  variables: IncomingRequest['variables'],
  lists: ReadonlySet<string>,
): boolean =>
  cursors.some(({ list, variable }) => {
    if (!lists.has(list)) return false
    return variable === null || (Object.hasOwn(variables, variable) && (variables[variable] ?? '') !== '')
  })

const hasNextPage = 'PageInfo.hasNextPage'

function mistakesAbout(fault: Fault, position: number, schema: GraphQLSchema): readonly Mistake[] {
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
  if (alone) mistakes.push({ path: [position, alone], text: 'does not apply to pictures.' })
  const other = on.pictures ? (['operation', 'kind', 'field', 'coordinate'] as const).find((it) => on[it]) : undefined
  if (other) mistakes.push({ path: [position, 'on', other], text: 'cannot be combined with pictures.' })
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
