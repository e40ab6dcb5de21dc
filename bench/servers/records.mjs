/** The records of our world as a file, from which the hand-written servers start: they shall serve the same data. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createMock } from '../../dist/src/index.js'

const address = 'line1 line2 city area first_name last_name zip state country email phone'
const times = ['created_at', 'updated_at'].map((it) => `${it}(format: "YYYY-MM-DDTHH:mm:ss[Z]")`).join(' ')
const fields = {
  customers: `id _id avatar full_name expenses orders_count email phone first_name last_name location accepts_marketing
    notes shipping_address { ${address} } billing_address { ${address} } custom tags ${times}`,
  segments: `id _id uid name description ${times}
    settings { include { operator tags } exclude { operator tags } }`,
}

/** Times are milliseconds since 1970, as a server would keep them. */
const rowOf = (node) => ({ ...node, created_at: Date.parse(node.created_at), updated_at: Date.parse(node.updated_at) })

async function allOf(mock, list) {
  const query = `query ($after: String) {
    ${list}(query: "", first: 1000, after: $after) { edges { node { ${fields[list]} } } pageInfo { endCursor hasNextPage } }
  }`
  const rows = []
  for (let after = null, more = true; more;) {
    const { data, errors } = await mock.execute({ query, variables: { after } })
    if (errors) throw new Error(`The records cannot be read: ${errors[0].message}`)
    const { edges, pageInfo } = data[list]
    rows.push(...edges.map(({ node }) => rowOf(node)))
    after = pageInfo.endCursor
    more = pageInfo.hasNextPage
  }
  return rows
}

let folder

function newFolder() {
  const made = mkdtempSync(join(tmpdir(), 'commerce-mock-bench-'))
  process.on('exit', () => rmSync(made, { recursive: true }))
  return made
}

/** The world that `commerce-mock serve --customers` has without other options, with its records in a file. */
export async function worldOf(customers) {
  folder ??= newFolder()
  const records = join(folder, `${customers}.json`)
  if (existsSync(records)) return { customers, records }
  const mock = createMock({ counts: { customers } })
  const lists = { customers: await allOf(mock, 'customers'), segments: await allOf(mock, 'segments') }
  writeFileSync(records, JSON.stringify({ start: mock.world.population.start, ...lists }))
  await mock.close()
  return { customers, records }
}
