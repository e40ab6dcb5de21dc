/** Random queries of a schema with all kinds of types: compiled or not, the answer is that of graphql-js. */
import {
  buildSchema,
  getNullableType,
  GraphQLError,
  isAbstractType,
  isLeafType,
  isListType,
  isObjectType,
  type GraphQLAbstractType,
  type GraphQLOutputType,
  type GraphQLScalarType,
} from 'graphql'
import { expect, test } from 'vitest'
import { hashText, mix } from '../../world/rng.js'
import { expectAlike } from './alike.testkit.js'
import { createEngine } from './engine.js'

const schema = buildSchema(`
  scalar Own
  enum Unit { CM INCH }
  input Range { from: Int! = 0, to: Int, units: [Unit!], inner: Range }
  interface Sign { char: String, next: Sign }
  type Letter implements Sign { char: String, next: Sign, self: Letter!, letters: [Letter!], code: Int!, own: Own }
  type Digit implements Sign { char: String, next: Sign, value: Float, unit: Unit!, flags: [[Boolean]!], id: ID! }
  union Any = Letter | Digit
  type Query {
    letter: Letter
    digit: Digit!
    sign(at: Int = 1): Sign
    all(at: Int!): [Any!]
    echo(
      text: String, id: ID, flag: Boolean, at: Int! = 7, ratio: Float, unit: Unit = CM, own: Own,
      units: [Unit!], grid: [[Int]], range: Range = { to: 3 }, texts: [String!]! = ["a"]
    ): String
  }
`)

const own = schema.getType('Own') as GraphQLScalarType
own.serialize = (value) => {
  if (value === 'wrong') throw new GraphQLError('Not that.')
  return value === 'nothing' ? undefined : { own: value }
}
own.parseValue = (value) => {
  if (value === 'wrong') throw new GraphQLError('Not that.')
  return { own: value }
}

/** What resolvers return for a leaf: usual values, then values that no resolver should return. */
const leaves: Readonly<Record<string, readonly [usual: readonly unknown[], wrong: readonly unknown[]]>> = {
  String: [
    ['a', '', 'é\u2028', null, 5, true],
    [NaN, {}, ['a'], 10n, Symbol.iterator],
  ],
  ID: [
    ['i', 7, ''],
    [2.5, true, null, {}],
  ],
  Int: [
    [0, 1, -0, -5, 2 ** 31 - 1, '7', true],
    [2 ** 31, 1.5, 'x', null, NaN, 1n],
  ],
  Float: [
    [0.5, -0, 3, 1e300, null, '0.5', false],
    [Infinity, 'x'],
  ],
  Boolean: [
    [true, false, null, 1, 0],
    ['true', {}, NaN],
  ],
  Unit: [
    ['CM', 'INCH'],
    ['MILE', null, 1, {}],
  ],
  Own: [['o', 5, 'nothing', { a: [1] }, null], ['wrong']],
}

/** What a resolver may return instead of a value. */
const odd: readonly ((value: unknown) => unknown)[] = [
  () => undefined,
  () => new Error('Given.'),
  (value) => Promise.resolve(value),
  () => Promise.reject(new GraphQLError('Later.')),
  (value) => () => value,
  (value) => [value],
  () => {
    throw new GraphQLError('Thrown.')
  },
]

const at = <T>(list: readonly T[], place: number) => list[place % list.length] as T

interface Found {
  readonly place: number
  readonly name: string
}

/** The value of a field, always the same and rarely an odd one. */
function valueAt(type: GraphQLOutputType, place: number): unknown {
  const of = getNullableType(type)
  const usual = isListType(of)
    ? Array.from({ length: place % 4 }, (_, i) => valueAt(of.ofType, mix(place + i + 1)))
    : isLeafType(of)
      ? at(leaves[of.name]?.[mix(place + 2) % 16 === 0 ? 1 : 0] ?? [], place)
      : { place, name: at(isObjectType(of) ? [of] : schema.getPossibleTypes(of as GraphQLAbstractType), place).name }
  if (mix(place + 3) % 16 === 0) return null
  return mix(place) % 40 === 0 ? at(odd, place)(usual) : usual
}

for (const type of Object.values(schema.getTypeMap())) {
  if (isAbstractType(type)) type.resolveType = ({ name }: Found) => name
  if (!isObjectType(type) || type.name.startsWith('__')) continue
  for (const field of Object.values(type.getFields())) {
    field.resolve = ({ place }: Partial<Found> = {}, args) =>
      field.name === 'echo'
        ? JSON.stringify(args)
        : valueAt(field.type, hashText(field.name + JSON.stringify(args), place))
  }
}

const values = {
  at: [1, 2, 3, 4, 5, 6],
  Int: [0, 7, -1, 2.5],
  String: ['', 'a', '"\\\n', 5],
  ID: ['i', 7],
  Boolean: [true, false],
  Float: [0.5, 3, '1'],
  Unit: ['CM', 'INCH'],
  Own: ['o', 5, 'wrong'],
  units: [['CM'], [], 'INCH'],
  grid: [[[1, 2], [null]], 5, [3]],
  texts: [['a', 'b'], 'c'],
  Range: [{ from: 1 }, { to: null, units: ['CM', 'INCH'], inner: { from: 2 } }, {}],
}

test('Random queries get the same answer at the first execution and at the fourth, whatever resolvers return.', async () => {
  const engine = createEngine({ schema, report: () => '1' })
  const contextOf = () => ({})
  const execute = async (request: object) => engine.run(engine.prepare(request), contextOf)
  const seen = await expectAlike({ schema, values, rounds: 120, contextOf, execute })
  expect(seen.failed).toBeGreaterThan(20)
  expect(seen.compiled).toBeGreaterThan(25)
  expect(seen).not.toHaveProperty('compiled despite errors')
})
