/** Hostile inputs from the schema: each argument and input field with values of wrong types. */
import {
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLObjectType,
  type GraphQLSchema,
} from 'graphql'
import { ask, type Sent } from './hostile.testkit.js'
import type { Row } from './hostile-row.testkit.js'

interface Kind {
  readonly literal: string
  /** As a variable; undefined if JSON has no such value. */
  readonly value?: unknown
  /** The scalars that accept it. */
  readonly fits: readonly string[]
}

const kinds: Readonly<Record<string, Kind>> = {
  'a whole number': { literal: '7', value: 7, fits: ['ID', 'Int', 'Float'] },
  'a broken number': { literal: '1.5', value: 1.5, fits: ['Float'] },
  'a number out of range': { literal: '4294967296', value: 4294967296, fits: ['ID', 'Float'] },
  'a text': { literal: '"some text"', value: 'some text', fits: ['ID', 'String'] },
  'an empty text': { literal: '""', value: '', fits: ['ID', 'String'] },
  'a block string': { literal: '"""some text"""', fits: ['ID', 'String'] },
  true: { literal: 'true', value: true, fits: ['Boolean'] },
  null: { literal: 'null', value: null, fits: [] },
  'a name': { literal: 'SOMETHING', fits: [] },
  'an object': { literal: '{ x: 1 }', value: { x: 1 }, fits: ['CustomFields'] },
  'a list in a list': { literal: '[[]]', value: [[]], fits: [] },
  'a list of objects': { literal: '[{}, {}]', value: [{}, {}], fits: [] },
}

function takes(type: GraphQLInputType, name: string): boolean {
  if (isNonNullType(type)) return name !== 'null' && takes(type.ofType, name)
  if (name === 'null') return true
  if (isListType(type)) return takes(type.ofType, name)
  return (kinds[name] as Kind).fits.includes(getNamedType(type).name)
}

/** A value as a literal and as a variable. */
interface Written {
  readonly literal: string
  readonly value: unknown
}

const examples: Readonly<Record<string, unknown>> = {
  Email: 'a@example.com',
  Lang: 'en',
  Int: 1,
  Float: 1,
  Boolean: true,
}

function honest(type: GraphQLInputType): Written {
  const nullable = getNullableType(type)
  if (isListType(nullable)) {
    const { literal, value } = honest(nullable.ofType)
    return { literal: `[${literal}]`, value: [value] }
  }
  if (isInputObjectType(nullable)) return objectOf(nullable, {})
  const { name } = getNamedType(nullable)
  const value = isEnumType(nullable)
    ? nullable.getValues()[0]?.name
    : name === 'CustomFields'
      ? {}
      : (examples[name] ?? 'x')
  return { literal: isEnumType(nullable) ? String(value) : JSON.stringify(value), value }
}

function objectOf(type: GraphQLInputType, given: Readonly<Record<string, Written>>): Written {
  if (!isInputObjectType(type)) throw new Error('This type has no fields.')
  const required = Object.values(type.getFields()).filter(isRequiredInputField)
  const fields = { ...Object.fromEntries(required.map((it) => [it.name, honest(it.type)])), ...given }
  return {
    literal: `{ ${Object.entries(fields)
      .map(([name, it]) => `${name}: ${it.literal}`)
      .join(', ')} }`,
    value: Object.fromEntries(Object.entries(fields).map(([name, it]) => [name, it.value])),
  }
}

/** The fields of an input, one for each type: what one of them rejects, the others do too. */
const fieldsOf = (type: GraphQLInputObjectType) => [
  ...new Map(Object.values(type.getFields()).map((field) => [String(field.type), field])).values(),
]

/** A position of a value in an argument. */
interface Place {
  readonly type: GraphQLInputType
  readonly write: (value: Written) => Written
}

function placesIn(type: GraphQLInputType, write: Place['write'] = (it) => it): Place[] {
  const nullable = getNullableType(type)
  const inner = isListType(nullable)
    ? placesIn(nullable.ofType, (it) => write({ literal: `[${it.literal}]`, value: [it.value] }))
    : isInputObjectType(nullable)
      ? fieldsOf(nullable).flatMap((field) =>
          placesIn(field.type, (it) => write(objectOf(nullable, { [field.name]: it }))),
        )
      : []
  return [{ type, write }, ...inner]
}

/** The type of a position, which rows are grouped by. */
const familyOf = (type: GraphQLInputType): string => {
  const nullable = getNullableType(type)
  if (isListType(nullable)) return 'a list'
  return isInputObjectType(nullable) ? 'an input' : getNamedType(nullable).name
}

export function wrongTypes(schema: GraphQLSchema): Row[] {
  const rows = new Map<string, { code: string; sent: Sent[] }>()
  const add = (name: string, code: string, sent: Sent) => {
    const row = rows.get(name) ?? { code, sent: [] }
    row.sent.push(sent)
    rows.set(name, row)
  }
  const roots: readonly (readonly [string, GraphQLObjectType])[] = [
    ['query', schema.getQueryType() as GraphQLObjectType],
    ['mutation', schema.getMutationType() as GraphQLObjectType],
  ]
  for (const [operation, root] of roots) {
    for (const field of Object.values(root.getFields())) {
      const selection = isCompositeType(getNamedType(field.type)) ? '{ __typename }' : ''
      const call = (args: readonly string[]) => `${field.name}(${args.join(', ')}) ${selection}`
      for (const argument of field.args) {
        const others = field.args.filter((it) => it !== argument && isNonNullType(it.type))
        const withOthers = (literal: string) => [
          `${argument.name}: ${literal}`,
          ...others.map((it) => `${it.name}: ${honest(it.type).literal}`),
        ]
        for (const place of placesIn(argument.type)) {
          for (const [name, kind] of Object.entries(kinds)) {
            if (takes(place.type, name)) continue
            const { literal, value } = place.write({ literal: kind.literal, value: kind.value })
            const family = familyOf(place.type)
            add(
              `${name} for ${family}, in a document`,
              'GRAPHQL_VALIDATION_FAILED',
              ask(`${operation} { ${call(withOthers(literal))} }`),
            )
            if (kind.value === undefined) continue
            add(
              `${name} for ${family}, in a variable`,
              'BAD_USER_INPUT',
              ask(`${operation} ($v: ${String(argument.type)}) { ${call(withOthers('$v'))} }`, { v: value }),
            )
          }
        }
      }
    }
  }
  // Some positions of each row: they are many, and alike.
  const some = (sent: readonly Sent[]) => sent.filter((_, at) => at % Math.ceil(sent.length / 6) === 0)
  return [...rows].map(([name, { code, sent }]): Row => [name, () => ({ all: some(sent) }), 200, code])
}
