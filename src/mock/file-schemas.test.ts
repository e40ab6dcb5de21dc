/** The schemas for editors of faults and scenarios, and what we ship ready-made. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { formatted } from '../shared/format.testkit.js'
import { readyFolder, readyNames } from '../world-files/on-disk.js'
import { createMock } from './create-mock.js'
import { faultKind, scenarioKind } from './files/scenario-file.js'

const titles = {
  faults: [
    'Faults of commerce-mock',
    'What goes wrong on purpose: serve --faults, createMock({ faults }), PUT /_mock/faults.',
  ],
  scenario: [
    'A scenario of commerce-mock',
    'World, clock, records and faults: serve --scenario, createMock({ scenario }).',
  ],
} as const

interface Root {
  readonly properties?: Readonly<Record<string, { anyOf?: unknown }>>
}

// To update the files: npx vitest run src/mock/file-schemas.test.ts -u
test.each([
  ['faults', faultKind],
  ['scenario', scenarioKind],
] as const)('%s.schema.json is generated from the definition.', async (name, { folder, definition }) => {
  const path = join(readyFolder(folder), `${name}.schema.json`)
  const [title, description] = titles[name]
  const root = z.toJSONSchema(definition, { target: 'draft-7', io: 'input' }) as Root
  const world = root.properties?.['world']
  if (world) world.anyOf = [{ type: 'string' }, { $ref: '../worlds/world.schema.json' }]
  const schema = { $id: `https://commerce-mock.invalid/${folder}/${name}.schema.json`, title, description, ...root }
  await expect(await formatted(path, JSON.stringify(schema))).toMatchFileSnapshot(path)
})

const texts = (folder: 'faults' | 'scenarios') =>
  readyNames(folder).map((name) => [name, readFileSync(join(readyFolder(folder), `${name}.yaml`), 'utf8')] as const)

test.each(texts('faults'))(
  'The ready faults %s are valid, say what they are for and name the schema.',
  (name, text) => {
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/faults\.schema\.json\n# \w.{14,}: for .*\.\n- /)
    const fromFile = createMock({ faults: join(readyFolder('faults'), `${name}.yaml`) })
    expect(createMock({ faults: name }).faults.list()).toEqual(fromFile.faults.list())
  },
)

test('A server that is down, slow or out of reach does not send pictures as usual.', async () => {
  const mock = createMock({ faults: 'down' })
  const [customer] = mock.list('Customer', { first: 1 })
  const picture = () => mock.fetch(`/_mock/avatars/${customer?.id}.svg`)
  expect(await picture()).toHaveProperty('status', 503)
  mock.faults.set(createMock({ faults: 'offline' }).faults.list())
  await expect(picture()).rejects.toThrow('fetch failed')
  const [request, ofPicture] = createMock({ faults: 'slow-3g' }).faults.list()
  expect(ofPicture).toEqual({ ...request, on: { pictures: true } })
})

test.each(texts('scenarios'))(
  'The ready scenario %s is valid, says what it is for and names the schema.',
  (name, text) => {
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/scenario\.schema\.json\nabout: '?\w.{20,}\.'?\n/)
    expect(createMock({ scenario: name }).list('Account')).toHaveLength(1)
  },
)
