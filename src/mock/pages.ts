/** The pages of a mock beside its API: health, pictures, products and reset. */
import { products } from '../../mocks/products.js'
import { pictureAt } from '../../mocks/data/pictures.js'
import { json } from '../server/http/response.js'
import type { Page } from '../server/http/front-door.js'
import type { World } from '../world/world.js'

/** Health and pictures need no token, because `<img>` cannot send one. */
export function createPages(world: () => World, reset: () => void): Page[] {
  const picture = (folder: string): Page => ({
    method: 'GET',
    path: `/_mock/${folder}/`,
    open: true,
    answer(rest) {
      const body = pictureAt(world(), `${folder}/${rest}`)
      const headers = { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" }
      return body === undefined ? undefined : { status: 200, headers, body }
    },
  })
  return [
    { method: 'GET', path: '/_mock/health', open: true, answer: () => json(200, { status: 'ok' }) },
    picture('avatars'),
    picture('thumbnails'),
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
