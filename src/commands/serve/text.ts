/** What `serve` prints: the banner and the lines of the request log. */
import { networkInterfaces } from 'node:os'
import { basename } from 'node:path'
import { countRules } from '../../../mocks/counts.js'
import { definitions } from '../../../mocks/world.js'
import type { Mock } from '../../mock/create-mock.js'
import { profileEntries, type ProfileName } from '../../profile.js'
import { isPrivate } from '../../server/http/hosts.js'
import type { LogEntry } from '../../server/http/listen.js'
import { ownPackage } from '../../shared/package.js'
import { deepEqual } from '../../shared/json.js'
import type { World } from '../../world/world.js'
import type { ServeOptions } from './options.js'

export function logLine(entry: LogEntry, format: 'text' | 'json'): string {
  if (format === 'json') return JSON.stringify({ time: new Date().toISOString(), ...entry })
  const { method, path, status, ms, operation, fault, problem } = entry
  const request = [method, path, status ?? '-', `${ms} ms`, operation].filter((it) => it !== undefined).join(' ')
  return [fault === undefined ? request : `${request}, fault ${fault}`, problem]
    .filter((it) => it !== undefined)
    .join(': ')
    .replaceAll('\n', '; ')
    .replace(/\p{C}/gu, '?')
}

export interface BannerOptions {
  readonly mock: Mock
  readonly url: string
  readonly options: ServeOptions
}

export function bannerOf({ mock, url, options }: BannerOptions): string {
  const { population } = mock.world
  const { origin, hostname } = new URL(url)
  const { lan, tokenEnv, tokenFile, world, scenario, faults, delay, state } = options
  const rows: readonly (readonly [label: string, text: string | undefined])[] = [
    ['API', url],
    ...(lan ? lanAddresses().map((it) => ['', url.replace(hostname, it)] as const) : []),
    ['GraphiQL', 'open the API address in a browser'],
    ['Products', `GET ${origin}/_mock/products lists the uids for addProductsToStore`],
    ['Reset', `POST ${origin}/_mock/reset`],
    ['', ''],
    ['State', state],
    ['Seed', String(population.randomSeed)],
    ['Clock', clockText(mock)],
    ['Scenario', scenario && basename(scenario)],
    ['World', `${typeof world === 'string' ? `${basename(world)}: ` : ''}${countsText(mock.world)}`],
    ['Faults', faults && basename(faults)],
    ['Delay', delay === undefined ? undefined : `${[delay].flat().join(' to ')} ms`],
    ['Profile', profileText(mock)],
    ['Token', (tokenEnv ?? tokenFile) ? 'required' : 'not required'],
  ]
  const lines = rows.flatMap(([label, text]) => (text === undefined ? [] : `  ${label.padEnd(10)} ${text}`.trimEnd()))
  return [`commerce-mock ${ownPackage().version}`, '', ...lines, '', 'Press Ctrl-C to stop.'].join('\n')
}

/** The addresses of this machine that `--lan` accepts. */
export const lanAddresses = (interfaces = networkInterfaces()): string[] =>
  Object.values(interfaces)
    .flatMap((it) => it ?? [])
    .filter(({ family, internal, address }) => family === 'IPv4' && !internal && isPrivate(address))
    .map(({ address }) => address)

function clockText({ world }: Mock): string {
  const { start, state, now } = world.clock
  if (state().frozen) return `stopped at ${new Date(now()).toISOString()}`
  return start.wall ? 'follows the wall clock' : `starts at ${new Date(start.instant).toISOString()}`
}

/** Pixels are no records of their own, and are left out. */
const countsText = (world: World): string =>
  Object.entries(countRules)
    .flatMap(([name, { typeName }]) => {
      const definition = definitions.find((it) => it.name === typeName)
      const count = definition && world.count(definition)
      return count === undefined ? [] : `${count} ${count === 1 ? name.slice(0, -1) : name}`
    })
    .join(', ')

function profileText({ profile }: Mock): string {
  const names = Object.keys(profileEntries) as ProfileName[]
  const changed = names.filter((name) => !deepEqual(profile[name], profileEntries[name].default))
  return changed.map((name) => `${name}=${JSON.stringify(profile[name])}`).join(', ') || 'defaults'
}
