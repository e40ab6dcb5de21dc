/** What is of others in the account: what a look that costs one call shows of it, and the promise that no write touches it. */
import { cannotTell, documented, unmet, type Basis, type Check, type Session } from '../src/contract/check.js'
import { ofAnyRun } from '../src/contract/mark.js'
import { operation } from '../src/contract/operation.js'
import type { Others, Thing, Things } from '../src/contract/watch.js'
import { pixelLists } from './putting-back.js'
import { writerOf } from './resource.js'
import type { Data } from './samples.js'
import { isGone } from './shown.js'

/** What stays as it is until somebody changes it: no numbers that follow orders, no times, no addresses of pictures. */
const lasting = {
  Account: [...pixelLists, 'account_name', 'slug', 'email', 'timezone', 'store_currency'],
  Store: ['name', 'slug', 'email', 'currency', 'legal_name', 'refund_policy'],
  Integration: ['platform', 'label', 'details'],
  Segment: ['name', 'description'],
  Customer: ['full_name', 'email', 'phone', 'notes'],
} as const

type Kind = keyof typeof lasting

/** Asks for the first page of each list: without an order it is what a server shows first, mostly the oldest. */
async function documentOf(session: Session): Promise<string> {
  const shown = async (type: Kind) => {
    const fields: string[] = ['id']
    for (const field of lasting[type]) {
      if (!(await session.shows(`${type}.${field}`))) continue
      fields.push((pixelLists as readonly string[]).includes(field) ? `${field} { label value }` : field)
    }
    return fields.join(' ')
  }
  const page = async (list: string, type: Kind) => `${list}(query: "") { edges { node { ${await shown(type)} } } }`
  const lists = `stores { ${await shown('Store')} } integrations { ${await shown('Integration')} }`
  return `query Others {
  account { ${await shown('Account')} ${lists} }
  ${await page('segments', 'Segment')}
  ${await page('customers', 'Customer')}
}`
}

const rows = (value: unknown): readonly Data[] =>
  Array.isArray(value) ? value.filter((it): it is Data => typeof it === 'object' && it !== null) : []

const nodesIn = (connection: unknown): readonly Data[] =>
  rows((connection as Data | null | undefined)?.['edges']).flatMap((it) => rows([it['node']]))

/** Pixels are a set to us, and those of a run are not of others. */
const foreignRows = (list: unknown): string =>
  JSON.stringify(
    rows(list)
      .map((it) => JSON.stringify([it['label'], it['value']]))
      .filter((it) => ofAnyRun(it) === undefined)
      .sort(),
  )

const asItIs = (value: unknown): unknown => value

/** What of a value is compared, where not all of it: a free-form object may hold what changes by itself. */
const comparable: Readonly<Record<string, (value: unknown) => unknown>> = {
  details: (value) => (value as Data | null | undefined)?.['pixels'],
  ...Object.fromEntries(pixelLists.map((it) => [it, foreignRows])),
}

export const others: Others = {
  // Whether a list that is not sent stays is not said: update-account-rest looks at that.
  exempt: { pixels: pixelLists },
  async look(session, isOwn) {
    const asked = await session.shared('what is of others', () => documentOf(session).then((it) => operation(it)))
    const { data, errors } = (await session.send(asked)).body
    if (errors?.length || !data?.['account']) return undefined
    const { stores, integrations, ...account } = data['account'] as Data
    const things = new Map<string, Thing>()
    const add = (kind: Kind, all: readonly Data[], listed: boolean) => {
      for (const it of all) {
        const id = String(it['id'])
        const values = lasting[kind].map((field) => [field, (comparable[field] ?? asItIs)(it[field])])
        // A page shows others when something comes in before it: what it does not show any more may still be there.
        const gone = async (now: Things) => {
          if (listed) return true
          if (!(await isGone(session, id))) return false
          // Where node refuses whatever it is asked, it says nothing of this one.
          const there = [...now.keys()].find((name) => name.startsWith(`${kind} `))?.slice(kind.length + 1)
          return there === undefined || !(await isGone(session, there))
        }
        things.set(`${kind} ${id}`, {
          // The account is of others, also where pixels of a run stand in its lists.
          isOwn: kind !== 'Account' && (isOwn(id) || ofAnyRun(JSON.stringify(it)) !== undefined),
          shown: Object.fromEntries(values),
          isGone: gone,
        })
      }
    }
    add('Account', rows([account]), true)
    add('Store', rows(stores), true)
    add('Integration', rows(integrations), true)
    add('Segment', nodesIn(data['segments']), false)
    add('Customer', nodesIn(data['customers']), false)
    return things
  },
}

const promises: Readonly<Record<string, Basis>> = {
  segments: documented('Segments: updateSegment answers the updated Segment, deleteSegments the deleted segment ids.'),
  stores: documented('Stores: updateStore answers the updated Store; deleteStore takes a list of store ids.'),
  customers: documented('Customers: updateCustomer, mutation: the updated Customer.'),
  integrations: documented('Account settings: removeIntegration answers the Account with the remaining integrations.'),
  pixels: documented('Account settings: updateAccount takes the three pixel lists.'),
}

/** They come after all that writes, and tell what was seen around it. */
export const spareChecks: readonly Check[] = Object.entries(promises).map(([kind, basis]): Check => ({
  id: `${kind}-spare-others`,
  title: `Writing ${kind} changes nothing that is of others.`,
  basis,
  writes: kind,
  async run(session) {
    const { kinds, harm, busy } = writerOf(session).watched
    if (!kinds.has(kind)) cannotTell(`No write of ${kind} could be looked around.`)
    const found = harm.find((it) => it.kind === kind)
    if (!found) return
    const seen = `Right after ${found.by} ${found.words}`
    if (busy !== undefined) cannotTell(`${seen} But somebody else works on the account, too: meanwhile ${busy}`)
    unmet(`${seen} Nobody asked for that. If somebody did just this at just that moment, run again.`, found.exchanges)
  },
}))
