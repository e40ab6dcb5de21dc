/** The pages of a mock beside its API: health, pictures, products and reset. */
import { products } from '../../mocks/products.js'
import { drawPicture, pictureTexts } from '../../mocks/data/pictures.js'
import { json } from '../server/http/response.js'
import type { Page } from '../server/http/front-door.js'
import type { World } from '../world/world.js'

/** Health and pictures need no token, because `<img>` cannot send one. */
export function createPages(world: () => World, reset: () => void): Page[] {
  const headers = { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" }
  const pictures = Object.entries(pictureTexts).map(([folder, textOf]): Page => ({
    method: 'GET',
    path: `/_mock/${folder}/`,
    open: true,
    answer(file) {
      const [, id] = /^([^/]+)\.svg$/.exec(file) ?? []
      const text = id && textOf(world(), id)
      return id && text !== undefined ? { status: 200, headers, body: drawPicture(id, text) } : undefined
    },
  }))
  return [
    { method: 'GET', path: '/_mock/health', open: true, answer: () => json(200, { status: 'ok' }) },
    ...pictures,
    {
      method: 'GET',
      path: '/_mock/products',
      open: false,
      answer() {
        // No query lists all products.
        const list = Array.from(world().all(products), ({ id, title, price }) => ({ uid: id, title, price }))
        return json(200, { products: list })
      },
    },
    {
      method: 'POST',
      path: '/_mock/reset',
      open: false,
      answer() {
        reset()
        return json(200, { reset: true })
      },
    },
  ]
}
