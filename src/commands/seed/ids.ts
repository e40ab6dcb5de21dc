/** The ids of what a plan created, as files for end-to-end tests. */
import { existsSync, readFileSync } from 'node:fs'
import { replaceFile } from '../../shared/files.js'
import { numbersOf, type Plan } from '../../seeding/plan.js'
import { shellQuote } from '../../shared/text.js'
import type { Ledger } from '../../writing/ledger.js'
import { keyOf, type Resource } from '../../writing/resource.js'
import type { SeedOptions } from './options.js'

interface Created {
  readonly resource: Resource
  readonly id: string
  /** Its number among the rows of its resource, counted from 1. */
  readonly number: number
  /** By which people know it, such as its e-mail address. */
  readonly key: string
}

export function writeIds(
  { idsEnv, idsJson }: Pick<SeedOptions, 'idsEnv' | 'idsJson'>,
  plan: Plan,
  ledger: Ledger,
): void {
  if (idsEnv !== undefined) {
    const before = existsSync(idsEnv) ? readFileSync(idsEnv, 'utf8') : ''
    replaceFile(idsEnv, envText(before, created(plan, ledger)))
  }
  if (idsJson !== undefined) replaceFile(idsJson, jsonText(created(plan, ledger)))
}

function* created({ parts }: Plan, ledger: Ledger): Generator<Created> {
  for (const part of parts) {
    const { resource, first } = part
    const [key] = resource.keys
    if (!key) continue
    for (const n of numbersOf(part)) {
      const { id, state } = ledger.entry(n) ?? {}
      if (id === undefined || state === 'absent') continue
      yield { resource, id, number: n - first + 1, key: keyOf(key, part.row(n - first)) }
    }
  }
}

const ownLine = /^SEED_[A-Z]+_\d+=/

/** Lines such as `SEED_STORE_1=store_x`, in place of those of an earlier run; other lines of the file stay. */
function envText(text: string, all: Iterable<Created>): string {
  const others = text.split('\n').filter((line) => !ownLine.test(line))
  if (others.at(-1) === '') others.pop()
  const own = Array.from(all, ({ resource, id, number }) => `SEED_${resource.one.toUpperCase()}_${number}=${word(id)}`)
  return [...others, ...own, ''].join('\n')
}

/** Docker, GitLab and GitHub take quotes as part of the value, so only what a shell would split has them. */
const word = (id: string): string => (/^[\w@%+=:,./-]+$/.test(id) ? id : shellQuote(id.replaceAll(/\p{Cc}/gu, '')))

/** `{"stores": {"main": "store_x"}}`: ids by e-mail address, slug, name or label. The first of two with one key counts. */
function jsonText(all: Iterable<Created>): string {
  const ids: Record<string, Record<string, string>> = {}
  for (const { resource, id, key } of all) {
    const byKey = (ids[resource.name] ??= Object.create(null) as Record<string, string>)
    byKey[key] ??= id
  }
  return `${JSON.stringify(ids, null, 2)}\n`
}
