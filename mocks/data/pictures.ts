/** Pictures that the mock serves itself, so they need no network: initials on a color. */
import { hashText } from '../../src/world/rng.js'
import type { World } from '../../src/world/world.js'
import { customers } from '../customers.js'
import { products } from '../products.js'

/** By the folder in the address of a picture: the text whose initials it shows. */
export const pictureTexts: Readonly<Record<string, (world: World, id: string) => string | undefined>> = {
  avatars: (world, id) => world.get(customers, id)?.full_name,
  thumbnails: (world, id) => world.get(products, id)?.title,
}

/** A picture as SVG. */
export function drawPicture(id: string, text: string): string {
  const initials = text
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0] ?? '')
    .join('')
    .toUpperCase()
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="96" height="96">',
    `<rect width="96" height="96" fill="hsl(${hashText(id) % 360} 45% 42%)"/>`,
    '<text x="48" y="50" fill="#fff" font-family="sans-serif" font-size="38" text-anchor="middle" dominant-baseline="middle">',
    escape(initials),
    '</text></svg>',
  ].join('')
}

const escape = (text: string) => text.replace(/[&<>"']/g, (it) => `&#${it.charCodeAt(0)};`).replace(/\p{C}/gu, '')
