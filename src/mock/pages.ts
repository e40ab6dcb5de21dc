/** The pages of a mock beside its API: what there is, health, pictures and products. */
import { products } from '../../mocks/products.js'
import { drawPicture, pictureTexts } from '../../mocks/data/pictures.js'
import { orError } from '../control/api.js'
import type { FaultKit } from '../control/faults/apply.js'
import { readQuery } from '../control/route.js'
import type { Sessions } from '../control/sessions.js'
import { json } from '../server/http/response.js'
import type { Page } from '../server/http/front-door.js'
import { endpoint } from '../shared/endpoint.js'

/** What the page at `/` lists. */
const contents: readonly (readonly [method: string, path: string, about: string])[] = [
  ['POST', endpoint, 'the API; in a browser, GraphiQL'],
  ['GET', '/_mock/health', 'answers when the server is ready'],
  ['GET', '/_mock/products', 'the uids for addProductsToStore'],
  ['GET', '/_mock/openapi.json', 'sessions, clock, records, snapshots, faults: the control API'],
]

/** `base` is what the paths of a session begin with. */
const root = (version: string, base: string) => {
  const links = contents.map(
    ([method, path, about]) => `<li>${method} <a href="${base}${path}">${path}</a>: ${about}</li>`,
  )
  return [
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>commerce-mock</title>',
    `<h1>commerce-mock ${version}</h1><ul>${links.join('')}</ul></html>`,
  ].join('\n')
}

/** Health and pictures need no token, because `<img>` cannot send one. */
export function createPages(
  version: string,
  sessions: Pick<Sessions, 'find'>,
  withFaults: FaultKit['applyToPicture'],
): Page[] {
  const headers = { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" }
  const pictures = Object.entries(pictureTexts).map(([folder, textOf]): Page => ({
    method: 'GET',
    path: `/_mock/${folder}/FILE`,
    open: true,
    handle({ names: [file = ''], session }) {
      const [, id] = /^([^/]+)\.svg$/.exec(file) ?? []
      const found = sessions.find(session)
      const text = id && found && textOf(found.world, id)
      if (!found || !id || text === undefined) return undefined
      return withFaults(found, { status: 200, headers, body: drawPicture(id, text) })
    },
  }))
  return [
    {
      method: 'GET',
      path: '/',
      open: true,
      handle: ({ session }) => ({
        status: 200,
        headers: { 'content-type': 'text/html; charset=utf-8' },
        body: root(version, session === undefined ? '' : `/s/${encodeURIComponent(session)}`),
      }),
    },
    {
      method: 'GET',
      path: '/_mock/health',
      about: 'Answers when the server is ready.',
      open: true,
      handle: () => json(200, { status: 'ok' }),
    },
    ...pictures,
    {
      method: 'GET',
      path: '/_mock/products',
      about: 'Lists the products, whose uids addProductsToStore takes.',
      handle: ({ session, query }) =>
        orError(() => {
          readQuery(query)
          // No query lists all products.
          const list = Array.from(sessions.find(session)?.world.all(products) ?? [], ({ id, title, price }) => ({
            uid: id,
            title,
            price,
          }))
          return json(200, { products: list })
        }),
    },
  ]
}
