/** Says before the first write what a run is about to send, and what it will not send and why. */
import { resources } from '../../../contracts/resources.js'
import { fillNode, lackingIn, type Send } from '../../writing/inputs.js'
import type { Data } from '../../contract/check.js'
import type { LifecycleResource, Mutation, Resource } from '../../writing/resource.js'
import { requires, type WriterOptions } from '../../writing/writer.js'

export interface Announcement {
  /** One line for each resource. */
  readonly lines: readonly string[]
  /** Whether anything is sent. */
  readonly sends: boolean
}

const isLifecycle = (resource: Resource): resource is LifecycleResource => 'tagged' in resource

export async function announcementOf(
  allowed: readonly string[],
  { inputs, row }: Pick<WriterOptions, 'inputs' | 'row'>,
  send: Send,
): Promise<Announcement> {
  let isTypeUnknown = false
  // The target may answer later, and announcing too much is better than too little.
  let isUnanswered = false

  /** Why an input cannot be filled. An input of documented values is sent to a type that is not known, too. */
  async function obstacle(resource: Resource, { field, input }: Mutation, values?: Data) {
    if (isUnanswered) return undefined
    const type = await inputs.typeOf(send, input).catch(() => void (isUnanswered = true))
    if (values) {
      const given = { ...inputs.values(input), ...inputs.values(field) }
      const lacking = type ? lackingIn(type, { ...values, ...given }, inputs.values) : []
      return lacking.length > 0 ? requires(input, lacking) : undefined
    }
    if (isUnanswered || !isLifecycle(resource)) return undefined
    isTypeUnknown ||= !type
    if (!type) return `the fields of ${input} are not known.`
    const { missing } = fillNode(type, resource.tagged(row(resource.type, 0), ''), { field, given: inputs.values })
    return missing.length > 0 ? requires(input, missing) : undefined
  }

  const lines: string[] = []
  let sends = false
  for (const resource of resources.filter(({ name }) => allowed.includes(name))) {
    const { all, onlyCreated, onlyUpdated, documented } = resource.announced
    const create = await obstacle(resource, { ...resource.create, ...documented }, documented?.values)
    const update = resource.update && (await obstacle(resource, resource.update))
    sends ||= create === undefined || (onlyUpdated !== undefined && update === undefined)
    const part = create === undefined ? onlyCreated : update === undefined ? onlyUpdated : undefined
    const reason = create ?? update
    lines.push(`${resource.name}: ${reason === undefined ? all : `${part ?? 'nothing is sent'}, because ${reason}`}`)
  }
  if (isTypeUnknown) lines.push(`Some inputs are not known: ${inputs.advice}`)
  return { lines, sends }
}
