/** Which media type a client gets, by its Accept header. */
import { expect, test } from 'vitest'
import { bareType, preferred } from './media-types.js'

const json = 'application/json'
const graphql = 'application/graphql-response+json'
const html = 'text/html'

test.each<[accept: string, type: string | undefined]>([
  ['', json],
  ['  ', json],
  ['*/*', json],
  ['application/*', json],
  [json, json],
  [graphql, graphql],
  ['APPLICATION/JSON', json],
  ['Application/GraphQL-Response+Json', graphql],
  [`${json}; charset=utf-8`, json],
  [`${graphql};charset=UTF-8`, graphql],
  [`${graphql}, ${json}`, json],
  [`${graphql}, ${json};q=0.9`, graphql],
  [`${json};q=0.9, ${graphql}`, graphql],
  [`${graphql}; q=0.5, ${json}; q=0.4`, graphql],
  [`${graphql};Q=0.1,${json};Q=0.2`, json],
  [`${graphql}; charset=utf-8; q=0.1, ${json}; q=0.2`, json],
  [`${json};q=0`, undefined],
  [`${json};q=0.0, */*`, graphql],
  [`*/*, ${json};q=0`, graphql],
  [`*/*;q=0, ${graphql}`, graphql],
  [`application/*;q=0.1, ${graphql};q=0.2`, graphql],
  [`application/*, ${json};q=0.5`, graphql],
  [`${json};q=1.000, ${graphql};q=0.999`, json],
  [`${json};q=nonsense`, json],
  [`${json};q=1.2.3`, undefined],
  [html, undefined],
  ['text/*', undefined],
  ['application/xml, text/plain', undefined],
  [`${html}, ${json}`, json],
  [`${html}, */*;q=0.1`, json],
  [',', undefined],
  [`, ${json},`, json],
  ['json', undefined],
])('Of JSON and GraphQL JSON, a client that accepts %j gets %j.', (accept, type) => {
  expect(preferred(accept, [json, graphql])).toBe(type)
})

test.each<[accept: string, type: string]>([
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8', html],
  ['text/html, application/json', json],
  ['*/*', json],
  ['text/html;q=0.9, application/json;q=0.8', html],
  ['TEXT/HTML', html],
])('Of these and HTML, a client that accepts %j gets %j.', (accept, type) => {
  expect(preferred(accept, [json, graphql, html])).toBe(type)
})

test.each([
  ['application/json', json],
  [' Application/JSON ; charset=utf-8', json],
  ['application/json;charset="utf-8"', json],
  ['', ''],
  [';', ''],
])('The bare type of %j is %j.', (header, type) => {
  expect(bareType(header)).toBe(type)
})
