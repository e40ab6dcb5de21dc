/** The account: operations on it and its pixel lists, and the checks that read them. */
import { documented, fail, type Check, type Context, type Data, type Finding } from '../src/contract/check.js'
import { operation } from '../src/contract/operation.js'
import { failAll } from './support/judge-each.js'
import { askAccount } from './support/samples.js'

/** The pixel lists of the account. */
export const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const

const pixelSelection = pixelLists.map((list) => `${list} { label value }`).join(' ')

export const account = operation('query Account { account { id } }')

export const pixels = operation(`query Pixels { account { id ${pixelSelection} } }`)

export const updateAccount = operation(`mutation UpdateAccount($node: InputUpdateAccount!) {
  updateAccount(node: $node) { id ${pixelSelection} }
}`)

/** An input of updateAccount with documented fields only. */
export const examplePixels = {
  facebook_pixels: [{ label: 'Autumn campaign', value: '204918830417755' }],
  snapchat_pixels: [{ label: 'Autumn campaign', value: '5c2f4d0a-7d67-4a34-9c53-0a5b7d1f6c11' }],
  tiktok_pixels: [
    { label: 'Autumn campaign', value: 'C9K2LMQ7V01RTE4H8XAB' },
    { label: 'Outlet', value: 'C0B7TTQ1Z93WPE6N5YHD' },
  ],
}

export const accountChecks: readonly Check[] = [
  {
    id: 'account-shape',
    at: 'Query.account',
    title: '`account` MUST return the account with its id.',
    basis: documented('Account: id, ID, account identifier.'),
    async run(context) {
      if ((await context.ask(account))['account'] === null) fail('`account` is null.')
    },
  },
  {
    id: 'pixels-shape',
    at: 'Query.account',
    title: 'The account MUST have three lists of pixels, each pixel with a label and a value.',
    basis: documented('Account settings: account, query: three lists of Pixel (`label`, `value`).'),
    asksOnce: true,
    async run(context) {
      await askAccount(context, pixels)
    },
  },
]

/** A mutation returns the account itself, whose list has these objects and not those. */
export async function judgeAccount(
  context: Context,
  mutation: string,
  returned: unknown,
  list: string,
  { has, lacks = [] }: { readonly has: readonly string[]; readonly lacks?: readonly string[] },
  evidence = context.last(),
): Promise<void> {
  const own = context.shared('own account', () => ({ id: undefined as unknown }))
  own.id ??= ((await context.ask(account))['account'] as Data | null)?.['id']
  const at = `Account.${list}`
  const wrong = (what: string, more: Pick<Finding, 'code' | 'at'> = { at }): Finding => ({
    sentence: `${mutation} returned ${what}.`,
    exchanges: evidence,
    ...more,
  })
  if (!returned) return failAll([wrong('null, not the account', { code: 'null-value' })])
  const { id, [list]: objects } = returned as Data
  const ids = ((objects ?? []) as readonly Data[]).map((it) => it['id'])
  const missing = has.filter((it) => !ids.includes(it))
  const extra = lacks.filter((it) => ids.includes(it))
  failAll([
    ...(id === own.id ? [] : [wrong(`${JSON.stringify(id)}, which is not the account`, { at: 'Account.id' })]),
    ...missing.map((it) => wrong(`an account that does not list ${it}`)),
    ...extra.map((it) => wrong(`an account that still lists ${it}`, { code: 'still-listed', at })),
  ])
}
