/** Tracking pixels: a label, and an identifier in the format of its platform. */
import type { Origin } from '../src/world/definition.js'
import { createRng, fieldKeyOf, stateOf, type Rng } from '../src/world/rng.js'
import { serviceError } from '../src/shared/service-error.js'

export interface Pixel {
  readonly label: string
  readonly value: string
}

export const pixelLists = ['facebook_pixels', 'snapchat_pixels', 'tiktok_pixels'] as const

export type PixelList = (typeof pixelLists)[number]

const labels = ['Main shop', 'Spring campaign', 'Retargeting', 'Newsletter', 'Outlet', 'Holiday campaign']

const generators: Record<PixelList, (rng: Rng) => string> = {
  facebook_pixels: (rng) => String(rng.between(1, 9)) + rng.faker.string.numeric(14),
  snapchat_pixels: (rng) => rng.faker.string.uuid(),
  tiktok_pixels: (rng) => `C${rng.faker.string.alphanumeric({ length: 19, casing: 'upper' })}`,
}

/** The generated pixels of a platform. */
export function pixelsOf(list: PixelList, { randomSeed, countOf }: Origin): Pixel[] {
  const rng = createRng()
  const key = fieldKeyOf(randomSeed, 'Pixel', list)
  return Array.from({ length: countOf('Pixel') }, (_, i) => {
    rng.seek(stateOf(key, i))
    const label = labels[i % labels.length] as string
    const round = Math.floor(i / labels.length)
    return { label: round > 0 ? `${label} ${round + 1}` : label, value: generators[list](rng) }
  })
}

/** A null in the input is an error, because the output type does not allow it. */
export function checkPixels(list: PixelList, input: readonly (Pixel | null)[] | null | undefined): void {
  const at = input?.indexOf(null) ?? -1
  if (at < 0) return
  throw serviceError('BAD_INPUT', `${list}[${at}] is null. Leave it out of the list; nothing was changed.`)
}
