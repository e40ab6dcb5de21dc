/** A ready world that is seeded into an empty shop, compared with the same world when it is served. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isInputObjectType } from 'graphql'
import { expect } from 'vitest'
import { runInProcess } from '../in-process.testkit.js'
import { createMock, type Mock } from '../../mock/create-mock.js'
import { ask, everyField } from '../../mock/state.testkit.js'

const bare = { customers: 0, segments: 0, stores: 0, integrations: 0, pixels: 0 }
const empty = createMock({ freeze: true, counts: bare })

/** Fields that some input takes, and those that follow from them. Others are set by the server, such as times. */
const written = new Set([
  ...Object.values(empty.schema.getTypeMap())
    .filter(isInputObjectType)
    .flatMap((it) => Object.keys(it.getFields())),
  'full_name',
  'location',
  'statistics',
  'platform',
  'details',
  'defaultDomain',
])

type Row = Readonly<Record<string, unknown>>
interface Connection {
  readonly edges: readonly { readonly node: Row }[]
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean }
}

/** Objects without what the server sets, in an order that does not depend on the order of creation. */
const comparable = (rows: readonly Row[]): readonly string[] =>
  rows.map((row) => JSON.stringify(Object.entries(row).filter(([name]) => written.has(name)))).sort()

async function everything(mock: Mock): Promise<Readonly<Record<string, readonly string[]>>> {
  const fieldsOf = (type: string) => everyField(mock.schema, type)
  const walk = async (list: string, type: string): Promise<readonly string[]> => {
    const document = `query ($after: String) { list: ${list}(query: "", first: 1000, after: $after) {
      edges { node { ${fieldsOf(type)} } } pageInfo { endCursor hasNextPage } } }`
    const rows: Row[] = []
    for (let after: string | undefined = ''; after !== undefined;) {
      const { list: page }: { list: Connection } = await ask(mock, document, { after })
      rows.push(...page.edges.map(({ node }) => node))
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined
    }
    return comparable(rows)
  }
  const lists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels']
  const { account } = await ask<{ account: Readonly<Record<string, readonly Row[]>> }>(
    mock,
    `{ account { stores { ${fieldsOf('Store')} } integrations { ${fieldsOf('Integration')} }
       ${lists.map((it) => `${it} { label value }`).join(' ')} } }`,
  )
  return {
    customers: await walk('customers', 'Customer'),
    segments: await walk('segments', 'Segment'),
    ...Object.fromEntries(Object.entries(account).map(([list, rows]) => [list, comparable(rows)])),
  }
}

/** Expects that both give the same answers, apart from what the server sets. */
export async function expectSameWhenSeeded(world: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'commerce-mock-seed-worlds-'))
  const seeded = empty.fork()
  const { url, close } = await seeded.listen({ port: 0 })
  const ledger = join(folder, 'ledger.jsonl')
  const { code, stderr } = await runInProcess(['seed', '--base-url', url, '--world', world, '--ledger', ledger])
  await close()
  rmSync(folder, { recursive: true, force: true })
  expect([code, stderr]).toEqual([0, ''])
  const [here, there] = [await everything(seeded), await everything(createMock({ world, freeze: true }))]
  for (const [list, rows] of Object.entries(there)) {
    expect(here[list]?.length, list).toBe(rows.length)
    // The first difference says more than ten thousand.
    const at = rows.findIndex((row, i) => row !== here[list]?.[i])
    expect(here[list]?.[at], list).toBe(rows[at])
  }
}
