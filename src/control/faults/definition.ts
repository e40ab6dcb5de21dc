/** Faults as data: which requests of a session they hit, and what happens to these. */
import * as z from 'zod'
import type { Fault, FaultSelection } from './fault.js'
import { readDuration } from '../../shared/duration.js'

const oneOrMore = z.union([z.string().min(1), z.array(z.string().min(1)).min(1)], 'must be a name, or a list of names')
const count = z.int().min(1)
const wrongDuration = 'must be milliseconds, or text such as "300ms" or "2s"'
const duration = z.union(
  [z.number().min(0), z.string().refine((it) => (readDuration(it) ?? -1) >= 0, wrongDuration)],
  wrongDuration,
)

/** All that is given must hold. */
const selection = z
  .strictObject({
    operation: oneOrMore.describe('Names of operations'),
    kind: z.enum(['query', 'mutation']).describe('Queries or mutations'),
    field: oneOrMore.describe('Root fields: customers, createStore'),
    coordinate: oneOrMore.describe('Fields that the operation selects: Customer.expenses'),
    pictures: z.literal(true).describe('Requests for pictures instead of those to the API'),
    skip: count.describe('Leaves the first of these requests alone'),
    times: count.describe('Happens at most so often'),
    share: z.number().gt(0).max(1).describe('The share of these requests that is hit, by chance'),
    seed: z.int().describe('Decides which ones'),
  })
  .partial()

/** What is added to an answer. */
const slower = {
  delay: z
    .union([duration, z.tuple([duration, duration])], 'must be a time such as "300ms", or the least and the most')
    .describe('Before the answer: a time, or the least and the most'),
  bytesPerSecond: count.describe('How fast the body is sent'),
}

/** What is answered instead. A fault has at most one of these. */
const answers = {
  error: z
    .strictObject({
      message: z.string().default('Something went wrong.'),
      code: z.string().default('INTERNAL_SERVER_ERROR').describe('extensions.code'),
      at: oneOrMore.describe('Fields that fail, by coordinate; the rest of the data is answered').optional(),
    })
    .describe('An error of GraphQL'),
  null: oneOrMore.describe('Fields that are null, by coordinate'),
  status: z.int().min(400).max(599).describe('A status of HTTP'),
  contentType: z.string().min(1).describe('The real answer under another media type'),
  connection: z
    .enum(['reset', 'reset-in-body', 'cut', 'hang'])
    .describe('The connection is reset before the answer or in its body, the body is cut off, or nothing is answered'),
  list: z
    .enum(['stale-cursor', 'endless', 'repeats', 'grows'])
    .describe('Cursors are unknown, hasNextPage stays true, pages overlap, or records appear while paging'),
  rateLimit: count.describe('Requests a minute; more get 429'),
  tokenExpires: z
    .union(
      [z.strictObject({ requests: count }), z.strictObject({ after: duration })],
      'must be { requests: 20 }, or { after: "15m" }',
    )
    .describe(
      'A token is rejected with 401 after so many requests, or so long after its first one by the clock of the mock',
    ),
}

/** How an answer looks. */
const looks = {
  retryAfter: z.int().min(0).describe('The header Retry-After, in seconds'),
  body: z.enum(['json', 'html', 'empty']).describe('The body with a status'),
  applied: z.literal(true).describe('The operation is executed before it fails'),
}

type Answer = keyof typeof answers
const answerNames = Object.keys(answers) as Answer[]

/** Which answers a look is for. */
const looksFor: Readonly<Record<keyof typeof looks, readonly Answer[]>> = {
  retryAfter: ['status'],
  body: ['status'],
  applied: ['status', 'error', 'connection'],
}

export const faultDefinition = z
  .strictObject({
    name: z.string().min(1).max(64).describe('How the request journal calls it').optional(),
    on: selection.describe('Which requests. Default: all to the API').optional(),
    ...z.object({ ...slower, ...answers, ...looks }).partial().shape,
  })
  .superRefine((fault, { addIssue }) => {
    const given = answerNames.filter((name) => fault[name] !== undefined)
    const refuse = (path: string[], message: string) => addIssue({ code: 'custom', path, message })
    if (given.length > 1) refuse([given[1] as string], `cannot be beside ${given[0]}. Make it a fault of its own`)
    if (given.length === 0 && fault.delay === undefined && fault.bytesPerSecond === undefined)
      refuse([], `says nothing of what happens. Give one of: ${Object.keys({ ...slower, ...answers }).join(', ')}`)
    for (const [look, wanted] of Object.entries(looksFor)) {
      if (fault[look as keyof typeof looks] === undefined || wanted.some((it) => given.includes(it))) continue
      refuse([look], `is only for ${wanted.join(', ')}`)
    }
  })

export const faultsDefinition = z.array(faultDefinition)

export type { Fault }

/** A fault with its defaults. */
export type ParsedFault = z.output<typeof faultDefinition>

type Written = z.input<typeof faultDefinition>
type Keys<Object> = keyof Required<Object>
/** The type that users see says the same; otherwise this does not compile. */
export type Checked = [
  Agrees<Written, Fault>,
  Agrees<Keys<Fault>, Keys<Written>>,
  Agrees<Keys<FaultSelection>, Keys<NonNullable<Written['on']>>>,
]
type Agrees<Left extends Right, Right> = [Left, Right]
