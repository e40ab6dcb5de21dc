import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { expect, test } from 'vitest'
import { worldFiles } from '../mock/world-file.js'
import { readyWorlds, schemaFile, worldsFolder } from './world-files.js'

const path = join(worldsFolder(), schemaFile)

// To update the file: npx vitest run src/world-files -u
test('world.schema.json is generated from the definition', async () => {
  const text = JSON.stringify(worldFiles.jsonSchema())
  const formatted = await format(text, { ...(await resolveConfig(path)), parser: 'json' })
  await expect(formatted).toMatchFileSnapshot(path)
})

test.each(readyWorlds())('the ready world %s is valid, says what it is for and names the schema', (name) => {
  const file = join(worldsFolder(), `${name}.json`)
  const { $schema, about } = worldFiles.read(file).file
  expect($schema).toBe(`./${schemaFile}`)
  expect(about).toMatch(/\w.{20}/)
  expect(worldFiles.read(name).file).toEqual(JSON.parse(readFileSync(file, 'utf8')))
})

interface Node {
  readonly description?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: readonly Node[]
  readonly pattern?: string
}

function* undescribed({ properties = {}, items, anyOf = [] }: Node, path: string): Generator<string> {
  for (const [key, it] of Object.entries(properties)) {
    if (!it.description?.endsWith('.')) yield `${path}.${key}`
    yield* undescribed(it, `${path}.${key}`)
  }
  for (const it of [...(items ? [items] : []), ...anyOf]) yield* undescribed(it, path)
}

test('every key has a description', () => {
  expect([...undescribed(worldFiles.jsonSchema() as Node, 'world')]).toEqual([])
})
