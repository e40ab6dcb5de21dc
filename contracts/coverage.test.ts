/** The suite requests everything that is documented. */
import { parse } from 'graphql'
import { beforeAll, expect, test } from 'vitest'
import { createMock } from '../src/mock/create-mock.js'
import { mockTarget, productUidsOf } from '../src/mock/mock-target.js'
import { contractShapes } from './support/shapes.js'
import { runContracts } from '../src/commands/check/run-contracts.js'
import { coordinatesOf } from '../src/schema/coordinates.js'
import { isAssumed } from '../src/schema/provenance.js'
import { profileEntries } from '../src/profile.js'
import { checks } from './checks.js'
import { writable } from './resources.js'
import { writeChecks } from './write-checks.js'

const { schema, provenance } = contractShapes()
const used = new Set<string>()
let exitCode: number | undefined

/** Names of input fields sent in variables. */
const sentMembers = new Set<string>()

function membersOf(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, it] of Object.entries(value)) {
    if (!Array.isArray(value)) sentMembers.add(key)
    membersOf(it)
  }
}

beforeAll(async () => {
  const mock = createMock({ freeze: true })
  const target = mockTarget(mock)
  const report = await runContracts({
    target: {
      ...target,
      send(request, options) {
        for (const it of coordinatesOf(parse(request.query), schema)) used.add(it)
        membersOf(request.variables)
        return target.send(request, options)
      },
    },
    write: { resources: writable, productUids: productUidsOf(mock) },
  })
  exitCode = report.exitCode
})

test('The run passes.', () => {
  expect(exitCode).toBe(0)
})

const documentedOf = (kind: (coordinate: string) => boolean) =>
  [...provenance.keys()].filter((it) => !isAssumed(provenance.get(it)) && kind(it))

test('The suite selects each documented field and argument.', () => {
  const outputs = documentedOf((it) => it.includes('.') && !/^(Input|\w*Input\.|FacebookConversionApi)/.test(it))
  expect(outputs.length).toBeGreaterThan(60)
  expect(outputs.filter((it) => !used.has(it))).toEqual([])
})

test('The suite sends each documented input field.', () => {
  const inputs = documentedOf((it) => /^(Input\w+|\w+Input|FacebookConversionApi)\.\w+$/.test(it))
  expect(inputs.length).toBeGreaterThan(5)
  expect(inputs.filter((it) => !sentMembers.has(it.split('.')[1] as string))).toEqual([])
})

test('Each entry of the profile is observed.', () => {
  const observed = [...checks, ...writeChecks].flatMap(({ observes }) => observes ?? [])
  expect(observed.sort()).toEqual(Object.keys(profileEntries).sort())
})

test('Check ids are unique and in kebab-case.', () => {
  const ids = [...checks, ...writeChecks].map(({ id }) => id)
  expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([])
  expect(ids.length).toBe(new Set(ids).size)
})

test('Each documented check cites its sentence.', () => {
  const short = [...checks, ...writeChecks].filter(
    ({ basis }) => !/^[A-Z][^:]*: .{10,}|^Listing rules, \d: /.test(basis.text) && basis.kind !== 'assumed',
  )
  expect(short.map(({ id }) => id)).toEqual([])
})
