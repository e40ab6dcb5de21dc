/** Says before the first write what a run is about to send, and what it will not send and why. */
import { examplePixels } from '../../../contracts/account.js'
import { customerResource } from '../../../contracts/customers.js'
import { exampleIntegration } from '../../../contracts/integrations.js'
import { pixelsAdded } from '../../../contracts/pixels.js'
import { segmentResource } from '../../../contracts/segments.js'
import { storeResource } from '../../../contracts/stores.js'
import { fillInput, lackingIn, type Introspecting } from '../../writing/inputs.js'
import type { LifecycleResource } from '../../writing/resource.js'
import { requires, type WriterOptions } from '../../writing/writer.js'

/** What writing a resource means for the owner of the account. */
interface Announced {
  readonly all: string
  /** A resource whose inputs may be unknown. */
  readonly resource?: LifecycleResource
  /** An input of documented fields. The server may require more. */
  readonly documented?: { readonly input: string; readonly values: Readonly<Record<string, unknown>> }
  /** What is sent if none can be updated. */
  readonly onlyCreated?: string
  /** What is sent if none can be created. */
  readonly onlyUpdated?: string
}

const deletable = { all: 'a few are created, updated and deleted.', onlyCreated: 'a few are created and deleted' }

const announcements: Readonly<Record<string, Announced>> = {
  segments: { ...deletable, resource: segmentResource },
  stores: { ...deletable, resource: storeResource },
  customers: {
    resource: customerResource,
    all: 'two are created and one of them is updated. They STAY, because nothing can delete them; the next run uses them again.',
    onlyCreated: 'one is created. It STAYS, because nothing can delete it; the next run uses it again. None is updated',
    onlyUpdated: 'one of an earlier run is updated, if there is one; none is created',
  },
  integrations: {
    documented: { input: 'FacebookConversionApi', values: exampleIntegration },
    all: 'two for Facebook are created, with tokens that open nothing, and removed.',
  },
  pixels: {
    documented: { input: 'InputUpdateAccount', values: examplePixels },
    all: `${pixelsAdded} are added to the lists of the account and removed again. Lists are written as a whole, so what somebody else adds at the same moment may be lost.`,
  },
}

export interface Announcement {
  /** One line for each resource. */
  readonly lines: readonly string[]
  /** Whether anything is sent. */
  readonly sends: boolean
}

export async function announcementOf(
  allowed: readonly string[],
  { inputs, row }: Pick<WriterOptions, 'inputs' | 'row'>,
  target: Introspecting,
): Promise<Announcement> {
  const lines: string[] = []
  let sends = false
  let isTypeUnknown = false
  let isUnanswered = false

  async function typeOf(input: string) {
    if (isUnanswered) return undefined
    return inputs.types(target, input).then(
      (types) => types.get(input),
      () => void (isUnanswered = true),
    )
  }

  /** Why an input of documented values is not enough. */
  async function documentedObstacle({ input, values }: NonNullable<Announced['documented']>) {
    const type = await typeOf(input)
    const lacking = type ? lackingIn(type, values) : []
    return lacking.length > 0 ? requires(input, lacking) : undefined
  }

  /** Why an input cannot be filled. */
  async function inputObstacle({ type, tagged }: LifecycleResource, input: string) {
    const inputType = await typeOf(input)
    // The target may answer later, and announcing too much is better than too little.
    if (isUnanswered) return undefined
    isTypeUnknown ||= !inputType
    if (!inputType) return `the fields of ${input} are not known.`
    const { missing } = fillInput(inputType, tagged(row(type, 0), ''))
    return missing.length > 0 ? requires(input, missing) : undefined
  }

  for (const name of allowed) {
    const { all, resource, documented, onlyCreated, onlyUpdated } = announcements[name] as Announced
    const create = resource
      ? await inputObstacle(resource, resource.create.input)
      : documented && (await documentedObstacle(documented))
    const update = resource && (await inputObstacle(resource, resource.update.input))
    const isSent = create === undefined || (onlyUpdated !== undefined && update === undefined)
    sends ||= isSent
    if (create === undefined && update === undefined) lines.push(`${name}: ${all}`)
    else {
      const part = create === undefined ? onlyCreated : update === undefined ? onlyUpdated : undefined
      lines.push(`${name}: ${part ?? 'nothing is sent'}, because ${create ?? update}`)
    }
  }
  if (isTypeUnknown) lines.push(`Some inputs are not known: ${inputs.advice}`)
  return { lines, sends }
}
