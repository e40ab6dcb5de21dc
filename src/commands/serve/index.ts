/** `serve`: the mock on a socket, told by command-line options. */
import { networkInterfaces } from 'node:os'
import { accountOf } from '../../../mocks/account.js'
import { countRules, type Counts } from '../../../mocks/counts.js'
import { pixelLists } from '../../../mocks/pixels.js'
import { createServiceProfile } from '../../../mocks/service.js'
import { definitions } from '../../../mocks/world.js'
import { defaultLimits } from '../../server/graphql/limit-rules.js'
import type { LogEntry } from '../../server/http/node-request.js'
import { provenanceOf } from '../../schema/provenance.js'
import { parseSchema } from '../../schema/load.js'
import { profileEntries, type ProfileName } from '../../profile.js'
import { deepEqual } from '../../shared/deep-equal.js'
import { createMock, type Mock } from '../../mock/create-mock.js'
import { usage, UsageError } from '../options.js'
import type { ServeOptions } from './options.js'
import { ownPackage } from '../../shared/package.js'
import { readToken, usualVariable } from '../token-source.js'
import { worldOf, type NamedWorld } from '../../world-files/world-file.js'
import type { World } from '../../world/world.js'

export interface Serving {
  readonly mock: Mock
  /** What to tell the user: addresses, seed, clock, counts and what is assumed. */
  readonly banner: string
  close(): Promise<void>
}

export interface ServeSurroundings {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly onUnexpected: (line: string) => void
  /** Takes a line about each request. */
  readonly onRequest: (line: string) => void
  /** What the places where the options stand call them, by their keys; as they are typed unless given. */
  readonly names?: Readonly<Record<string, string>>
}

/** Throws a UsageError for a wrong option, and an Error in one line where the port cannot be had. */
export async function serve(
  options: ServeOptions,
  { env, onUnexpected, onRequest, names = {} }: ServeSurroundings,
): Promise<Serving> {
  const { profile: named, lan = false, host, port } = options
  const { lan: lanName = '--lan', host: hostName = '--host' } = names
  if (lan && host !== undefined)
    throw new UsageError(`${lanName} listens at all addresses, ${hostName} at one. Give one of them.`)
  const profile = named && usage(() => createServiceProfile(named.values), named.place)
  const { world: given } = options
  const world = given === undefined ? undefined : usage(() => worldOf(given), names['world'] ?? '--world')
  const token = readToken(options, { env, names })?.token
  if (token === undefined && env[usualVariable]) {
    onUnexpected(`${usualVariable} alone demands no token here. If it shall: --token-env ${usualVariable}`)
  }
  const mock = usage(() =>
    createMock({
      world: world?.file,
      seed: options.seed,
      now: options.now,
      freeze: options.freeze,
      lenientInputs: options.lenientInputs,
      counts: pick(countRules, (name) => options[name]),
      limits: pick(defaultLimits, (name) => options[`max${capital(name)}`]),
      allow: { hosts: options.allowHost ?? [], origins: options.allowOrigin ?? [], lan },
      profile: options.allowGet ? { ...profile, http_get: 'queries' } : profile,
      token,
      onUnexpected,
      log: options.quiet ? undefined : (entry) => onRequest(lineOf(entry, options.log ?? 'text')),
    }),
  )
  const { url } = await mock.listen({ port, host: lan ? '0.0.0.0' : host })
  return { mock, banner: bannerOf(mock, url, options, world), close: () => mock.close() }
}

const capital = <Text extends string>(text: Text) => (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<Text>

/** The settings that are set, by the names of their rules. */
function pick<Name extends string>(rules: Readonly<Record<Name, unknown>>, value: (name: Name) => number | undefined) {
  const set = (Object.keys(rules) as Name[]).map((name) => [name, value(name)] as const)
  return Object.fromEntries(set.filter(([, it]) => it !== undefined)) as Partial<Record<Name, number>>
}

/** A line of the log. What stands in it of the request is in one line and short. */
function lineOf(entry: LogEntry, form: 'text' | 'json'): string {
  if (form === 'json') return JSON.stringify({ time: new Date().toISOString(), ...entry })
  const { method, path, status, ms, operation } = entry
  const shown = [method, path, status, `${ms} ms`, operation].filter((it) => it !== undefined).join(' ')
  return shown.replace(/\p{C}/gu, '?')
}

/** The addresses by which others on the network reach this machine. */
function networkAddresses(): string[] {
  return Object.values(networkInterfaces())
    .flatMap((it) => it ?? [])
    .filter(({ family, internal }) => family === 'IPv4' && !internal)
    .map(({ address }) => address)
}

/** How many there are: of pixels in each list, where these differ from the shortest to the longest. */
function countIn(world: World, name: keyof Counts): string {
  const { typeName } = countRules[name]
  const definition = definitions.find((it) => it.name === typeName)
  if (definition) return String(world.count(definition))
  const account = accountOf(world)
  const lengths = pixelLists.map((list) => account[list].length).sort((a, b) => a - b)
  return [...new Set([lengths[0], lengths.at(-1)])].join(' to ')
}

function bannerOf(mock: Mock, url: string, options: ServeOptions, named?: NamedWorld): string {
  const { version, schema } = ownPackage()
  const { world, profile } = mock
  const origin = new URL(url).origin
  const counts = (Object.keys(countRules) as (keyof Counts)[]).map((name) => {
    const count = countIn(world, name)
    const noun = count === '1' ? name.slice(0, -1) : name
    return name === 'pixels' ? `${count} ${noun} a list` : `${count} ${noun}`
  })
  const title = named === undefined ? '' : `${named.name}: `
  const assumed = [...provenanceOf(parseSchema(schema)).values()].filter((mark) => mark.basis === 'assumed').length
  const changed = (Object.keys(profileEntries) as ProfileName[]).filter(
    (name) => !deepEqual(profile[name], profileEntries[name].default),
  )
  const clock = options.freeze
    ? 'standing still'
    : options.now === 'real'
      ? 'following the wall clock'
      : 'running from there'
  return [
    `commerce-mock ${version}`,
    '',
    `  API        ${url}`,
    ...(options.lan ? networkAddresses().map((it) => `             ${url.replace('localhost', it)}`) : []),
    `  GraphiQL   the same address in a browser`,
    `  products   GET ${origin}/_mock/products (uids for addProductsToStore)`,
    `  start over POST ${origin}/_mock/reset`,
    '',
    `  seed       ${world.population.randomSeed}`,
    `  now        ${new Date(world.population.start).toISOString()}, ${clock}`,
    `  world      ${title}${counts.join(', ')}`,
    `  assumed    ${assumed} elements of the schema, each said in its description, and the behaviour in README`,
    `  profile    ${changed.length === 0 ? 'defaults' : changed.map((name) => `${name}=${JSON.stringify(profile[name])}`).join(', ')}`,
    `  token      ${options.tokenEnv !== undefined || options.tokenFile !== undefined ? 'demanded' : 'none demanded'}`,
    '',
    '  Ctrl-C ends it.',
  ].join('\n')
}
