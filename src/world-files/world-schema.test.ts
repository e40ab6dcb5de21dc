/** The JSON Schema of world files: what lies in the package is what the rules in code make. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { countRules } from '../../mocks/counts.js'
import { readyWorlds, worldsFolder } from './world-file.js'
import { worldSchema, worldSchemaText } from './world-schema.js'

const path = join(worldsFolder(), 'world.schema.json')

test('the file beside the ready worlds is made of the rules', async () => {
  const formatted = await format(worldSchemaText(), { ...(await resolveConfig(path)), parser: 'json' })
  // To bring it up to date: npx vitest run src/commands/world-schema.test.ts -u
  await expect(formatted).toMatchFileSnapshot(path)
})

test('every ready world names it', () => {
  for (const name of readyWorlds()) {
    const world = JSON.parse(readFileSync(join(worldsFolder(), `${name}.json`), 'utf8')) as { $schema?: string }
    expect(world.$schema, name).toBe('./world.schema.json')
  }
})

interface Node {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly pattern?: string
  readonly maximum?: number
}

function* nodes(node: Node, name = ''): Generator<[string, Node]> {
  yield [name, node]
  for (const [own, it] of Object.entries(node.properties ?? {})) yield* nodes(it, `${name}.${own}`)
  if (node.items) yield* nodes(node.items, `${name}[]`)
  for (const it of node.anyOf ?? []) yield* nodes(it, name)
}

test('every member is described, every pattern is one of JSON Schema, and counts have their limits', () => {
  const all = [...nodes(worldSchema as Node)]
  expect(all.length).toBeGreaterThan(90)
  for (const [name, { properties = {}, pattern }] of all) {
    for (const [own, it] of Object.entries(properties)) expect(it.description, `${name}.${own}`).toMatch(/.\.$/)
    // Editors compile patterns with the flag u, and some without.
    if (pattern !== undefined) for (const flags of ['', 'u']) expect(new RegExp(pattern, flags)).toBeInstanceOf(RegExp)
  }
  const { counts } = (worldSchema as Node).properties ?? {}
  expect(Object.entries(counts?.properties ?? {}).map(([kind, { maximum }]) => [kind, maximum])).toEqual(
    Object.entries(countRules).map(([kind, { most }]) => [kind, most]),
  )
})
