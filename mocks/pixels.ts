/** Tracking pixels: a label and the identifier in the form that each platform gives. */
import { createDraw, fieldKeyOf, placeOf } from '../src/world/rng.js'
import { serviceError } from '../src/shared/service-error.js'

export interface Pixel {
  readonly label: string
  readonly value: string
}

export const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const

export type PixelList = (typeof pixelLists)[number]

const labels = ['Main shop', 'Spring campaign', 'Retargeting', 'Newsletter', 'Outlet', 'Holiday campaign']

const valueForms: Record<PixelList, (draw: ReturnType<typeof createDraw>) => string> = {
  facebook_pixels: (draw) => String(draw.between(1, 9)) + draw.faker.string.numeric(14),
  snapchat_pixels: (draw) => draw.faker.string.uuid(),
  tiktok_pixels: (draw) => `C${draw.faker.string.alphanumeric({ length: 19, casing: 'upper' })}`,
}

/** The first `count` pixels that an account of this seed has on a platform. */
export function pixelsOf(list: PixelList, randomSeed: number, count: number): Pixel[] {
  const draw = createDraw()
  const key = fieldKeyOf(randomSeed, 'Pixel', list)
  return Array.from({ length: count }, (_, i) => {
    draw.move(placeOf(key, i))
    const label = labels[i % labels.length] as string
    const round = Math.floor(i / labels.length)
    return { label: round > 0 ? `${label} ${round + 1}` : label, value: valueForms[list](draw) }
  })
}

/** A list as it was sent: null empties it, and a null inside would break the list for every later reader. */
export function pixelsFrom(
  list: PixelList,
  input: readonly (Pixel | null)[] | null | undefined,
): readonly Pixel[] | undefined {
  if (input === undefined) return undefined
  return (input ?? []).map((pixel, at) => {
    if (pixel) return { label: pixel.label, value: pixel.value }
    throw serviceError('BAD_INPUT', `${list}[${at}] is null. Leave it out of the list; nothing was changed.`)
  })
}
