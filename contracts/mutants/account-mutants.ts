/** Servers that break a promise about the pixel lists or the integrations of the account. */
import type { Data } from '../../src/contract/check.js'
import { pixelLists } from '../account.js'
import { deepEqual } from '../../src/shared/json.js'
import type { Mutant } from './mutant.js'
import { answeringWith, mutating, sending, stateful } from './mutation-rules.js'

const sentLists = (args: Data) => args['node'] as Readonly<Record<string, readonly Data[] | undefined>>

const readPixels = `{ account { ${pixelLists.map((it) => `${it} { label value }`).join(' ')} } }`

const ofPixels: readonly Mutant[] = [
  ...pixelLists.map((list): Mutant => ({
    id: `${list.replaceAll('_', '-')}-dropped`,
    about: `updateAccount ignores ${list}.`,
    killedBy: ['update-account'],
    wrap: mutating({
      updateAccount: sending((args) => {
        const { [list]: _, ...rest } = sentLists(args)
        return { ...args, node: rest }
      }),
    }),
  })),
  {
    id: 'pixels-answered-old',
    about: 'updateAccount returns the old lists, and keeps the new ones.',
    killedBy: ['update-account'],
    wrap: mutating({
      updateAccount: async (_, proceed, { ask }) => {
        const old = (await ask(readPixels))['account'] as Data
        return { ...(await proceed()), ...old }
      },
    }),
  },
  {
    id: 'pixels-not-kept',
    about: 'updateAccount returns the new lists, and keeps the old ones.',
    killedBy: ['update-account'],
    wrap: mutating({
      updateAccount: async (args, proceed, { ask }) => {
        const old = (await ask(readPixels))['account'] as Data
        const value = await proceed()
        await proceed({ ...args, node: old })
        return value
      },
    }),
  },
  {
    id: 'pixels-foreign-dropped',
    about: 'updateAccount drops the oldest pixel of each list, and returns the rest.',
    killedBy: ['update-account'],
    world: { counts: { pixels: 6 } },
    wrap: mutating({
      updateAccount: sending((args) => {
        const lists = Object.entries(sentLists(args)).map(([list, rows = []]) => [list, rows.slice(1)])
        return { ...args, node: Object.fromEntries(lists) }
      }),
    }),
  },
  {
    id: 'pixels-of-other-lists-lost',
    about: 'updateAccount returns what it was sent, and then empties the lists that did not change.',
    killedBy: ['update-account'],
    wrap: mutating({
      updateAccount: async (args, proceed, { ask }) => {
        const old = (await ask(readPixels))['account'] as Data
        const value = await proceed()
        const lists = Object.entries(sentLists(args)).map(([list, rows]) => [
          list,
          deepEqual(rows, old[list]) ? [] : rows,
        ])
        await proceed({ ...args, node: Object.fromEntries(lists) })
        return value
      },
    }),
  },
  {
    id: 'pixels-of-another-account',
    about: 'updateAccount returns another account.',
    killedBy: ['update-account'],
    wrap: mutating({ updateAccount: answeringWith((value) => ({ ...value, id: 'acc_other' })) }),
  },
]

const create = 'createConversionApiFacebookIntegration'

/** Changes what the account shows of integrations that the run created. */
const showing = (change: (shown: Data, sent: Data) => Data | undefined): Mutant['wrap'] =>
  stateful(
    () => new Map<unknown, Data>(),
    (made) => ({
      writes: {
        [create]: answeringWith((value, args) => {
          made.set(value['id'], args['node'] as Data)
          return value
        }),
      },
      reads: {
        'Account.integrations': (value) =>
          (value as readonly Data[]).flatMap((it) => {
            const sent = made.get(it['id'])
            return (sent ? change(it, sent) : it) ?? []
          }),
      },
    }),
  )

const readIntegrations = '{ account { id integrations { id } } }'

const ofIntegrations: readonly Mutant[] = [
  {
    id: 'integration-not-listed',
    about: 'The account does not list the integration that was made.',
    killedBy: ['create-integration'],
    wrap: showing(() => undefined),
  },
  {
    id: 'integration-without-pixels',
    about: 'The details of the integration carry none of the pixels that were sent.',
    killedBy: ['create-integration'],
    wrap: showing((it) => ({ ...it, details: { pixels: [] } })),
  },
  {
    id: 'integration-pixel-dropped',
    about: 'The last pixel of the integration is dropped.',
    killedBy: ['create-integration'],
    wrap: mutating({
      [create]: sending((args) => {
        const node = args['node'] as { readonly pixels: readonly string[] }
        return { node: { ...node, pixels: node.pixels.slice(0, -1) } }
      }),
    }),
  },
  {
    id: 'integration-label-ignored',
    about: 'The integration has another label than the one that was sent.',
    killedBy: ['create-integration'],
    wrap: mutating({ [create]: sending((args) => ({ node: { ...(args['node'] as Data), label: 'Facebook' } })) }),
  },
  ...[
    { form: 'text', answer: (value: Data) => value['id'] },
    { form: 'list', answer: (value: Data) => [value] },
  ].map(({ form, answer }): Mutant => ({
    id: `integration-answered-as-${form}`,
    about: `${create} returns a ${form}, not an object.`,
    killedBy: ['create-integration'],
    wrap: mutating({ [create]: answeringWith(answer) }),
  })),
  {
    id: 'integration-replaces',
    about: `${create} removes the integration that was created before.`,
    killedBy: ['remove-integration'],
    wrap: mutating({
      [create]: async (_, proceed, { ask, made }) => {
        const before = made.get(create)?.at(-1)
        const value = await proceed()
        if (before !== undefined)
          await ask('mutation R($id: ID!) { removeIntegration(id: $id) { id } }', { id: before })
        return value
      },
    }),
  },
  {
    id: 'integration-shows-token',
    about: 'The integration shows its token.',
    killedBy: ['create-integration'],
    wrap: showing((it, { token }) => ({ ...it, details: { ...(it['details'] as Data), token } })),
  },
  {
    id: 'integration-not-removed',
    about: 'removeIntegration returns what it should and removes nothing.',
    killedBy: ['remove-integration'],
    wrap: mutating({
      removeIntegration: async ({ id }, _, { ask }) => {
        const account = (await ask(readIntegrations))['account'] as { id: string; integrations: readonly Data[] }
        return { id: account.id, integrations: account.integrations.filter((it) => it['id'] !== id) }
      },
    }),
  },
  {
    id: 'integration-another-removed',
    about: 'removeIntegration removes another one as well.',
    killedBy: ['remove-integration'],
    wrap: mutating({
      removeIntegration: async ({ id }, proceed, { made }) => {
        const other = made.get(create)?.find((it) => it !== id)
        if (other !== undefined) await proceed({ id: other })
        return proceed({ id })
      },
    }),
  },
  {
    id: 'integration-another-removed-later',
    about: 'removeIntegration returns what it should and then removes another one.',
    killedBy: ['remove-integration'],
    wrap: mutating({
      removeIntegration: async ({ id }, proceed, { made }) => {
        const value = await proceed({ id })
        const other = made.get(create)?.find((it) => it !== id)
        if (other !== undefined) await proceed({ id: other })
        return value
      },
    }),
  },
  {
    id: 'integration-newest-removed',
    about: 'removeIntegration removes the newest one, whichever it is sent.',
    killedBy: ['remove-integration'],
    wrap: mutating({
      removeIntegration: async (_, proceed, { made }) => proceed({ id: made.get(create)?.at(-1) }),
    }),
  },
  {
    id: 'integration-answered-without-others',
    about: 'removeIntegration returns an account without integrations.',
    killedBy: ['remove-integration'],
    wrap: mutating({ removeIntegration: answeringWith((value) => ({ ...value, integrations: [] })) }),
  },
  {
    id: 'integration-removed-still-listed',
    about: 'removeIntegration returns an account that still lists the integration.',
    killedBy: ['remove-integration'],
    wrap: mutating({
      removeIntegration: answeringWith((value, { id }) => ({
        ...value,
        integrations: [...(value['integrations'] as readonly Data[]), { id }],
      })),
    }),
  },
  {
    id: 'integration-removed-null',
    about: 'removeIntegration returns null.',
    killedBy: ['remove-integration'],
    wrap: mutating({ removeIntegration: answeringWith(() => null) }),
  },
  {
    id: 'integration-removed-other-account',
    about: 'removeIntegration returns another account.',
    killedBy: ['remove-integration'],
    wrap: mutating({ removeIntegration: answeringWith((value) => ({ ...value, id: 'acc_other' })) }),
  },
]

export const mutantsOfSettings: readonly Mutant[] = [...ofPixels, ...ofIntegrations]
