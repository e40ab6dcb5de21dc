/** Faults as data: which requests of a session they hit, and what happens to these. */
import * as z from 'zod'
import type { Fault, FaultSelection } from './fault.js'
import { alternatives } from '../../shared/mistakes.js'
import { readDuration } from '../../shared/time.js'

const oneOrMore = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], 'must be a name, or a list of names')
const count = z.int().min(1)
const wrongDuration = 'must be milliseconds, or text such as "300ms" or "2s"'
const duration = z.union(
  [z.number().min(0), z.string().refine((it) => (readDuration(it) ?? -1) >= 0, wrongDuration)],
  wrongDuration,
)

/** Milliseconds. */
export const timeOf = (given: number | string): number =>
  typeof given === 'number' ? given : (readDuration(given) as number)

const range = z
  .tuple([duration, duration])
  .refine(([min, max]) => !(timeOf(min) > timeOf(max)), 'must be [min, max], the shorter time first')

/** All that is given must hold. */
const selection = z
  .strictObject({
    operation: oneOrMore.describe('Names of operations'),
    kind: z.enum(['query', 'mutation']).describe('Queries or mutations'),
    field: oneOrMore.describe('Root fields: customers, createStore'),
    coordinate: oneOrMore.describe('Fields that the operation selects: Customer.expenses'),
    pictures: z.literal(true).describe('Requests for pictures instead of those to the API'),
    skip: z.int().min(0).describe('How many matching requests pass first'),
    times: count.describe('How many times it happens at most'),
    share: z.number().gt(0).max(1).describe('The share of these requests that is hit, by chance'),
    seed: z.int().describe('Seed of that choice (default 1)'),
  })
  .partial()

/** What makes a response slower. */
const slower = {
  delay: z
    .union([duration, range], 'must be a time such as "300ms", or [min, max]')
    .describe('Before the response: a time, or [min, max]'),
  bytesPerSecond: count.describe('How fast the body is sent'),
}

/** Of a fault with `error: {}`. */
export const defaultError = { message: 'Something went wrong.', code: 'INTERNAL_SERVER_ERROR' }

const wrongStatus = 'must be 400 to 599'

/** What happens instead of the usual response. A fault has at most one of these. */
const effects = {
  error: z
    .strictObject({
      message: z.string().meta({ default: defaultError.message }).optional(),
      code: z.string().meta({ default: defaultError.code }).describe('extensions.code').optional(),
      at: oneOrMore.describe('Fields that fail, by coordinate; the rest of the data is there').optional(),
    })
    .describe('An error of GraphQL'),
  null: oneOrMore.describe('Fields that are null, by coordinate'),
  status: z.int().min(400, wrongStatus).max(599, wrongStatus).describe('A status of HTTP'),
  contentType: z
    .string()
    .regex(/^[\w.+-]+\/[\w.+-]+ *(;[\x20-\x7e]*)?$/, 'must be a media type such as text/html')
    .describe('The usual response under another media type'),
  connection: z
    .enum(['reset', 'reset-in-body', 'cut', 'hang'])
    .describe(
      'The connection is reset before the response or in its body, the body is cut off, or there is no response',
    ),
  list: z
    .enum(['stale-cursor', 'endless', 'repeats', 'grows'])
    .describe('Cursors are unknown, hasNextPage stays true, pages overlap, or records appear while paging'),
  rateLimit: count.describe('Requests a minute; more get 429'),
  tokenExpires: z
    .union(
      alternatives(z.strictObject({ requests: count }), z.strictObject({ after: duration })),
      'must be { requests: 20 }, or { after: "15m" }',
    )
    .describe(
      'A token is rejected with 401 after so many requests, or so long after its first one by the clock of the mock',
    ),
}

/** What an effect is like. */
const details = {
  retryAfter: z.int().min(0).describe('The header Retry-After, in seconds'),
  body: z.enum(['json', 'html', 'empty']).describe('The body with a status'),
  applied: z.literal(true).describe('The operation is executed before it fails'),
}

type EffectName = keyof typeof effects
export const effectNames = Object.keys(effects) as EffectName[]

/** Which effects a detail is for. */
const detailsFor: Readonly<Record<keyof typeof details, readonly EffectName[]>> = {
  retryAfter: ['status'],
  body: ['status'],
  applied: ['status', 'error', 'null', 'connection'],
}

const faultDefinition = z
  .strictObject({
    name: z.string().min(1).max(64).describe('Its name in the journal. Default: its position in the list').optional(),
    on: selection.describe('Which requests. Default: all to the API').optional(),
    ...z.object({ ...slower, ...effects, ...details }).partial().shape,
  })
  .superRefine((fault, { addIssue }) => {
    const { on = {}, applied } = fault
    const given = effectNames.filter((name) => fault[name] !== undefined)
    const refuse = (path: string[], message: string) => addIssue({ code: 'custom', path, message })
    if (given.length > 1) refuse([given[1] as string], `cannot be combined with ${given[0]}. Use two faults`)
    if (given.length === 0 && fault.delay === undefined && fault.bytesPerSecond === undefined)
      refuse([], `has no effect. Add one of: ${Object.keys({ ...slower, ...effects }).join(', ')}`)
    for (const [detail, wanted] of Object.entries(detailsFor)) {
      if (fault[detail as keyof typeof details] === undefined || wanted.some((it) => given.includes(it))) continue
      refuse([detail], `is only for ${wanted.join(', ')}`)
    }
    if (applied && (on.pictures || on.kind === 'query')) refuse(['applied'], 'is only for mutations')
  })

export const faultsDefinition = z.array(faultDefinition)

type Written = z.input<typeof faultDefinition>
type Keys<Object> = keyof Required<Object>
/** The type that users see says the same; otherwise this does not compile. */
export type Checked = [
  Agrees<Written, Fault>,
  Agrees<Keys<Fault>, Keys<Written>>,
  Agrees<Keys<FaultSelection>, Keys<NonNullable<Written['on']>>>,
]
type Agrees<Left extends Right, Right> = [Left, Right]
