/** The account: its pixel lists and its integrations. */
import { describe, expect, test } from 'vitest'
import { examplePixels, pixels, updateAccount } from '../../contracts/account.js'
import { integrations, removeIntegration } from '../../contracts/integrations.js'
import { createConversionApiFacebookIntegration, exampleIntegration } from '../../contracts/operations.testkit.js'
import { answer, ask, codes, everything, listOf, smallMock, type Json } from './state.testkit.js'

const lists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const
type PixelLists = Record<(typeof lists)[number], unknown[]> & { readonly id: string }

describe.each(lists)('%s', (list) => {
  const pixelsNow = async (mock = smallMock()) => (await ask<{ account: PixelLists }>(mock, pixels)).account

  test('is replaced by a list; the other two do not change', async () => {
    const mock = smallMock()
    const before = await pixelsNow(mock)
    const sent = [{ label: 'Outlet', value: '17' }]
    const changed = { ...before, [list]: sent }
    expect(await ask(mock, updateAccount, { node: { [list]: sent } })).toEqual({ updateAccount: changed })
    expect(await pixelsNow(mock)).toEqual(changed)
  })

  test('is emptied by null and by an empty list', async () => {
    for (const sent of [null, []]) {
      const mock = smallMock()
      const before = await pixelsNow(mock)
      expect(before[list]).not.toEqual([])
      await ask(mock, updateAccount, { node: { [list]: sent } })
      expect(await pixelsNow(mock)).toEqual({ ...before, [list]: [] })
    }
  })

  test('does not change if it is omitted', async () => {
    const mock = smallMock()
    const before = await pixelsNow(mock)
    await ask(mock, updateAccount, { node: {} })
    expect(await pixelsNow(mock)).toEqual(before)
    const document = /* GraphQL */ `
      mutation ($pixels: [InputPixel]) {
        updateAccount(node: { ${list}: $pixels }) {
          id
        }
      }
    `
    await ask(mock, document)
    expect(await pixelsNow(mock)).toEqual(before)
  })

  test('holds one pixel if a single one is sent instead of a list', async () => {
    const mock = smallMock()
    await ask(mock, updateAccount, { node: { [list]: { label: 'Outlet', value: '17' } } })
    expect((await pixelsNow(mock))[list]).toEqual([{ label: 'Outlet', value: '17' }])
  })

  test('rejects a null element and changes nothing', async () => {
    const mock = smallMock()
    const before = await everything(mock)
    const node = { ...examplePixels, account_name: 'Other', [list]: [{ label: 'Outlet', value: '17' }, null] }
    const { data, errors } = await answer(mock, updateAccount, { node })
    expect(data).toEqual({ updateAccount: null })
    expect(errors).toMatchObject([{ extensions: { code: 'BAD_INPUT' } }])
    expect(errors?.[0]?.message).toContain(`${list}[1]`)
    expect(await everything(mock)).toEqual(before)
  })

  test.each([{ label: 'No value' }, { label: null, value: '17' }, { label: 'A', value: '17', size: 1 }, 17])(
    'refuses the pixel %j, and nothing is changed',
    async (pixel) => {
      const mock = smallMock()
      const before = await everything(mock)
      expect(await codes(mock, updateAccount, { node: { [list]: [pixel] } })).toEqual(['BAD_USER_INPUT'])
      expect(await everything(mock)).toEqual(before)
    },
  )
})

describe('integrations', () => {
  const create = async (mock: ReturnType<typeof smallMock>, node: Json = exampleIntegration) => {
    const made = await ask<Record<string, { id: string }>>(mock, createConversionApiFacebookIntegration, { node })
    return made['createConversionApiFacebookIntegration']!.id
  }

  test('appear in the account with the pixels of their creation', async () => {
    const mock = smallMock()
    const before = await listOf(mock, 'Integration')
    const sent = { ...exampleIntegration, pixels: ['2', '1', '2'] }
    const id = await create(mock, sent)
    const made = { id, platform: 'facebook', label: sent.label, details: { pixels: sent.pixels } }
    expect(await listOf(mock, 'Integration')).toEqual([...before, made])
  })

  test('can have the same type', async () => {
    const mock = smallMock()
    expect(await create(mock)).not.toBe(await create(mock))
  })

  test('keep their pixels when those of the account change', async () => {
    const mock = smallMock()
    const before = await ask(mock, integrations)
    await ask(mock, updateAccount, { node: { facebook_pixels: null } })
    expect(await ask(mock, integrations)).toEqual(before)
  })

  test('disappear when removed; others do not', async () => {
    const mock = smallMock()
    const [first, second] = await listOf(mock, 'Integration')
    await ask(mock, removeIntegration, { id: first!['id'] })
    expect(await listOf(mock, 'Integration')).toEqual([second])
    await ask(mock, removeIntegration, { id: second!['id'] })
    expect(await listOf(mock, 'Integration')).toEqual([])
  })
})
