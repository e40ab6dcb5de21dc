/** What `serve` prints: the banner and the lines of the request log. */
import { networkInterfaces } from 'node:os'
import { accountOf } from '../../../mocks/account.js'
import { countRules, type Counts } from '../../../mocks/counts.js'
import { pixelLists } from '../../../mocks/pixels.js'
import { definitions } from '../../../mocks/world.js'
import type { Mock } from '../../mock/create-mock.js'
import { profileEntries, type ProfileName } from '../../profile.js'
import type { LogEntry } from '../../server/http/listen.js'
import { ownPackage } from '../../shared/package.js'
import { deepEqual } from '../../shared/deep-equal.js'
import type { World } from '../../world/world.js'
import type { ServeOptions } from './options.js'

export function logLine(entry: LogEntry, format: 'text' | 'json'): string {
  if (format === 'json') return JSON.stringify({ time: new Date().toISOString(), ...entry })
  const { method, path, status, ms, operation } = entry
  const words = [method, path, status, `${ms} ms`, operation].filter((it) => it !== undefined)
  return words.join(' ').replace(/\p{C}/gu, '?')
}

export interface BannerOptions {
  readonly mock: Mock
  readonly url: string
  readonly options: ServeOptions
  /** The name of the world, if one was given. */
  readonly worldName?: string | undefined
}

export function bannerOf({ mock, url, options, worldName }: BannerOptions): string {
  const { population } = mock.world
  const { origin } = new URL(url)
  const { lan, tokenEnv, tokenFile } = options
  const rows: readonly (readonly [label: string, text: string])[] = [
    ['API', url],
    ...(lan ? networkAddresses().map((it) => ['', url.replace('localhost', it)] as const) : []),
    ['GraphiQL', 'open the API address in a browser'],
    ['Products', `GET ${origin}/_mock/products lists the uids for addProductsToStore`],
    ['Reset', `POST ${origin}/_mock/reset`],
    ['', ''],
    ['Seed', String(population.randomSeed)],
    ['Clock', clockText(options, new Date(population.start))],
    ['World', `${worldName === undefined ? '' : `${worldName}: `}${countsText(mock.world)}`],
    ['Profile', profileText(mock)],
    ['Token', (tokenEnv ?? tokenFile) ? 'required' : 'not required'],
  ]
  const lines = rows.map(([label, text]) => `  ${label.padEnd(10)} ${text}`.trimEnd())
  return [`commerce-mock ${ownPackage().version}`, '', ...lines, '', 'Press Ctrl-C to stop.'].join('\n')
}

/** The addresses of this machine on its networks. */
const networkAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((it) => it ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)

function clockText({ now, freeze }: ServeOptions, start: Date): string {
  if (freeze) return `stopped at ${start.toISOString()}`
  return now === 'real' ? 'follows the wall clock' : `starts at ${start.toISOString()}`
}

const countsText = (world: World): string =>
  (Object.keys(countRules) as (keyof Counts)[])
    .map((name) => {
      const count = countIn(world, name)
      const noun = count === '1' ? name.slice(0, -1) : name
      return name === 'pixels' ? `${count} ${noun} per list` : `${count} ${noun}`
    })
    .join(', ')

/** For pixels, the lengths of the shortest and the longest list: `1 to 3`. */
function countIn(world: World, name: keyof Counts): string {
  const definition = definitions.find((it) => it.name === countRules[name].typeName)
  if (definition) return String(world.count(definition))
  const account = accountOf(world)
  const lengths = pixelLists.map((list) => account[list].length).sort((a, b) => a - b)
  return [...new Set([lengths[0], lengths.at(-1)])].join(' to ')
}

function profileText({ profile }: Mock): string {
  const names = Object.keys(profileEntries) as ProfileName[]
  const changed = names.filter((name) => !deepEqual(profile[name], profileEntries[name].default))
  return changed.map((name) => `${name}=${JSON.stringify(profile[name])}`).join(', ') || 'defaults'
}
