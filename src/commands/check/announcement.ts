/** What a run that writes is about to send, said before its first write, and what it will not send, and why. */
import { examplePixels } from '../../../contracts/account.js'
import { exampleIntegration } from '../../../contracts/integrations.js'
import type { Resource } from '../../../contracts/support/resource.js'
import { customerResource } from '../../../contracts/customer-writes.js'
import { pixelsAdded } from '../../../contracts/pixel-writes.js'
import { segmentResource } from '../../../contracts/segment-writes.js'
import { storeResource } from '../../../contracts/store-writes.js'
import { fillInput, lackingIn, type Asking } from '../../writing/inputs.js'
import type { WriteOptions } from '../../contract/runner.js'

/** What writing a kind means for whoever owns the account. */
interface Announced {
  readonly all: string
  /** Where the input of its create or of its update may be unknown. */
  readonly resource?: Resource
  /** An input of documented fields alone, of which the server may want more. */
  readonly documented?: { readonly input: string; readonly values: Readonly<Record<string, unknown>> }
  readonly unchanged?: string
  readonly unmade?: string
}

const staying = 'because no operation deletes one; the next run uses'

const ofPassing = { all: 'a few are made, changed and deleted.', unchanged: 'a few are made and deleted' }

const announcements: Readonly<Record<string, Announced>> = {
  segments: { ...ofPassing, resource: segmentResource },
  stores: { ...ofPassing, resource: storeResource },
  customers: {
    resource: customerResource,
    all: `two are made and one of them is changed, and they STAY, ${staying} them again.`,
    unchanged: `one is made, and STAYS, ${staying} it again. None is changed`,
    unmade: 'one is changed, if an earlier run left one; none is made',
  },
  integrations: {
    documented: { input: 'FacebookConversionApi', values: exampleIntegration },
    all: 'two for Facebook are made, with tokens that open nothing, and removed.',
  },
  pixels: {
    documented: { input: 'InputUpdateAccount', values: examplePixels },
    all: `${pixelsAdded} are added to the lists of the account and taken out again. Lists are only written whole: what somebody else adds in the same moment may be lost.`,
  },
}

export interface Announcement {
  /** One line for each kind. */
  readonly lines: readonly string[]
  readonly sends: boolean
}

type Known = Pick<WriteOptions, 'allowed' | 'inputs' | 'row'>

export async function announcementOf({ allowed, inputs, row }: Known, asking: Asking): Promise<Announcement> {
  const lines: string[] = []
  let sends = false
  let advised = false
  let unanswered = false
  for (const kind of allowed) {
    const { all, resource, documented, unchanged, unmade } = announcements[kind] as Announced
    const making = resource
      ? await obstacle(resource, resource.create.input)
      : documented && (await wanting(documented))
    const changing = resource && (await obstacle(resource, resource.update.input))
    const sent = making === undefined ? (changing === undefined ? all : unchanged) : changing === undefined && unmade
    const why = making ?? changing
    sends ||= Boolean(sent)
    lines.push(`${kind}: ${sent || 'nothing is sent'}${why === undefined ? '' : `, because ${why}.`}`)
  }
  if (advised) lines.push(`What is not known, ${inputs.advice}`)
  return { lines, sends }

  async function typeOf(input: string) {
    if (unanswered) return undefined
    return inputs.types(asking, input).then(
      (types) => types.get(input),
      () => void (unanswered = true),
    )
  }

  /** Why what is documented is not enough, if the server says so. */
  async function wanting({ input, values }: NonNullable<Announced['documented']>): Promise<string | undefined> {
    const known = await typeOf(input)
    return known && wants(input, lackingIn(known, values))
  }

  /** Why an input cannot be filled, if it cannot. */
  async function obstacle({ type, marked }: Resource, input: string): Promise<string | undefined> {
    const known = await typeOf(input)
    // It may answer later, and more is said rather than less.
    if (unanswered) return undefined
    advised ||= !known
    if (!known) return `what ${input} takes is not known`
    return wants(input, fillInput(known, marked(row(type, 0), '')).missing)
  }
}

const wants = (input: string, missing: readonly string[]): string | undefined =>
  missing.length === 0 ? undefined : `${input} wants ${missing.join(', ')}, and nobody knows what to put there`
