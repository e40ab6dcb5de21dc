/** Sends every mutation of a run: lists it in the ledger first, and touches only what this ledger created. */
import { classOf, hasData } from '../client/answer-class.js'
import { TargetError, type Answer, type GraphqlError } from '../client/target.js'
import { fail, Inconclusive, skip, type PendingCreate, type Writer } from '../contract/check.js'
import type { OwnedContext } from '../contract/context.js'
import type { WriteAccess } from '../contract/runner.js'
import { fieldsIn, type Operation } from '../contract/operation.js'
import { judged } from '../contract/judge.js'
import { Rejected, serverErrorMessage } from '../contract/rejection.js'
import { resourceNamed } from './cleanup.js'
import { lateness, readPatiently, timeoutFor, type Eventually, type Lag } from './eventually.js'
import { readTagged, tryFindByTag, type Shown } from './find.js'
import { fillInput, fillNode, lackingIn, type InputSource } from './inputs.js'
import { isKnown, type Entry, type Ledger } from './ledger.js'
import type { Resource } from './resource.js'

export interface WriterOptions {
  readonly ledger: Ledger
  readonly resources: readonly Resource[]
  readonly inputs: InputSource
  /** The demo row of a type at an index, counted from 0. */
  readonly row: (type: string, index: number) => Readonly<Record<string, unknown>>
  readonly productUids: readonly string[]
  readonly lag: Lag
}

/** What all writers of a run share. */
interface WriterState {
  tags: number
  /** How many rows of each type were taken, so that a resource gets the same rows whatever else is written. */
  readonly rows: Map<string, number>
  /** Ids that the server returned for a created object, but that do not show its tag. */
  readonly unproven: Set<string>
  /** For each mutation, why it could not be sent or was rejected. Undefined once the server accepted it. */
  readonly rejections: Map<string, string | undefined>
}

/** The writer of one check. */
interface Writing extends WriterOptions {
  readonly context: OwnedContext
  readonly state: WriterState
  readonly eventually: Eventually
}

/** Makes the writers of a run, one for each check. */
export function createWriters(options: WriterOptions): Pick<WriteAccess, 'writerFor' | 'rejected'> {
  const state: WriterState = { tags: 0, rows: new Map(), unproven: new Set(), rejections: new Map() }
  const writerFor = (context: OwnedContext) => {
    const { lag } = options
    const { timeoutMs } = lag
    const eventually: Eventually = async (read, isWanted) => {
      const late = lateness(lag)
      const patience = late === undefined ? lag : { timeoutMs, ms: 0, patience: 0 }
      const { value, reads, ms } = await readPatiently(patience, read, isWanted)
      const isSeen = isWanted(value)
      if (!isSeen) for (const it of context.last()) context.spent.unseen.set(it, timeoutMs)
      const reason = isSeen && ms <= timeoutMs ? undefined : (late ?? lateness(lag))
      if (reason !== undefined) throw new Inconclusive(reason)
      if (reads > 1 && isSeen) context.remark(`It took ${Math.round(ms)} ms to become visible.`)
      return value
    }
    return createWriter({ ...options, context, state, eventually })
  }
  // If nothing can be created, no check of the resource is judged, which the verdict tells of anyway.
  const creates = options.resources.map(({ create }) => create?.field)
  const rejected = () =>
    [...state.rejections].flatMap(([field, reason]) =>
      reason === undefined || creates.includes(field) ? [] : { field, reason },
    )
  return { writerFor, rejected }
}

/** Notes why a mutation was not accepted. The first reason counts, and none once it was accepted. */
function noteRejected({ state: { rejections } }: Writing, field: string, reason: string): void {
  if (!rejections.has(field)) rejections.set(field, reason)
}

/** Throws if the server rejected an operation as a whole. */
function noteAnswer(writing: Writing, operation: Operation, error: GraphqlError | undefined): void {
  for (const it of fieldsIn(operation)) {
    if (error) noteRejected(writing, it, `“${error.message}”`)
    else writing.state.rejections.set(it, undefined)
  }
  if (error) throw new Rejected(error)
}

function createWriter(writing: Writing): Writer {
  const { ledger, inputs, row, productUids, context, state, eventually } = writing
  const { run } = ledger.head
  const adopt = (kind: string, tag: string, id: string): void => {
    const [{ n }] = ledger.intend([{ kind, key: tag }]) as [Entry]
    ledger.record(n, 'created', id)
  }
  const unsent = (field: string, reason: string): never => {
    noteRejected(writing, field, reason)
    return skip(reason)
  }
  const typeOf = (name: string) => inputs.typeOf((it) => context.send(it), name)
  return {
    run,
    newTag: () => `${run}-${(state.tags += 1)}`,
    owns: (id) => createdIds(ledger).has(id),
    productUids,
    row(type) {
      const index = state.rows.get(type) ?? 0
      state.rows.set(type, index + 1)
      return row(type, index)
    },
    adopt,
    removing(ids) {
      for (const { n, id } of ledger.entries()) if (id !== undefined && ids.includes(id)) ledger.record(n, 'removing')
    },
    gone(id) {
      for (const entry of ledger.entries()) if (entry.id === id) ledger.record(entry.n, 'absent')
    },
    async input({ field, input: name }, values, rest) {
      const type = await typeOf(name)
      if (!type) return unsent(field, `The fields of ${name} are not known: ${inputs.advice}`)
      const { input, missing } = fillNode(type, values, { given: inputs.values, field, keep: run, rest })
      return missing.length === 0 ? input : unsent(field, requires(name, missing))
    },
    async documentedInput({ field, input: name }, values) {
      const all = { ...values, ...inputs.values(name), ...inputs.values(field) }
      const type = await typeOf(name)
      if (!type) return all
      const lacking = lackingIn(type, all, inputs.values)
      return lacking.length === 0
        ? { ...all, ...fillInput(type, all, { given: inputs.values }).input }
        : unsent(field, requires(name, lacking))
    },
    async fits(name, values) {
      const type = await typeOf(name)
      const lacking = type ? lackingIn(type, values) : []
      if (lacking.length > 0) skip(requires(name, lacking, ''))
    },
    eventually,
    create: (pending) => create(writing, pending),
    async change(operation, ids, changed) {
      refuseForeign(writing, ids)
      if (changed) adopt(changed.kind, changed.tag, ids[0] as string)
      const answer = await context.call(operation)
      noteAnswer(writing, operation, hasData(answer.body) ? undefined : answer.body.errors?.[0])
      return judged(answer.body, operation, context.shapes)
    },
    async remove(operation, ids) {
      refuseForeign(writing, ids)
      return context.call(operation)
    },
  }
}

const requires = (input: string, fields: readonly string[], advice = ' Give one with --values FILE.'): string =>
  `${input} requires ${fields.join(', ')}, for which there is no known value.${advice}`

const createdIds = (ledger: Ledger): ReadonlySet<string> =>
  new Set(ledger.entries().flatMap((it) => (isKnown(it) ? [it.id] : [])))

function refuseForeign({ ledger, state }: Writing, ids: readonly string[]): void {
  const own = createdIds(ledger)
  const foreign = ids.find((id) => !own.has(id))
  if (foreign === undefined) return
  if (state.unproven.has(foreign)) {
    throw new Inconclusive(`The server does not show that this run created ${foreign}, so it is left alone.`)
  }
  throw new Error(`${foreign} was not created by this run, and would have been changed.`)
}

async function create(writing: Writing, pending: PendingCreate) {
  const { ledger, context } = writing
  const { kind, tag, idOf, keepOf } = pending
  // An object without its tag cannot be found again, so nothing would remove it.
  const untagged = ledger.entries().find((it) => it.kind === kind && it.state === 'unproven')
  if (untagged) {
    throw new Inconclusive(`No more ${kind} are created, because the one tagged ${untagged.key} does not show its tag.`)
  }
  const late = lateness(writing.lag)
  // The first create is still judged by its answer. Checks that need more objects also need reads, which are too late.
  if (late !== undefined && ledger.entries().some((it) => it.kind === kind)) throw new Inconclusive(late)
  const { operation, keep } = { ...pending, ...(await pending.latest?.()) }
  // What is not sent must not be in the ledger, because cleanup would look for it.
  context.requireCall()
  const [entry] = ledger.intend([{ kind, key: tag, keep }]) as [Entry]
  const { body } = await sendCreate(writing, operation, entry)
  const exchanges = context.last()
  if (body.data && keepOf) ledger.note(entry.n, keepOf(body.data, keep))
  const id = body.data ? idOf(body.data) : undefined
  // Before the rest of the response is judged, because the object must be removed in any case.
  if (typeof id === 'string') await confirmId(writing, pending, entry, id)
  else ledger.record(entry.n, body.errors?.[0] ? 'failed' : 'answered')
  noteAnswer(writing, operation, typeof id === 'string' ? undefined : body.errors?.[0])
  const data = judged(body, operation, context.shapes)
  if (typeof id !== 'string') return fail('The response has no id of the created object.', { code: 'null-value' })
  return { id, data, exchanges }
}

/** Sends a create. If the response is lost, cleanup looks whether the object was created. */
async function sendCreate({ context, ledger }: Writing, operation: Operation, { n }: Entry): Promise<Answer> {
  try {
    const answer = await context.call(operation)
    const [error] = answer.body.errors ?? []
    if (error && classOf({ error }) === 'server error' && !hasData(answer.body))
      throw new TargetError(serverErrorMessage(error.message))
    return answer
  } catch (error) {
    if (error instanceof TargetError && error.unsent) ledger.record(n, 'failed')
    throw error
  }
}

/**
 * Records the id of a created object. The server must show our tag under it: a wrong id would make us change and delete
 * an object of somebody else. An id that holds a secret is stored redacted, and not believed.
 */
async function confirmId(writing: Writing, { kind, tag }: PendingCreate, { n }: Entry, answered: string) {
  const { context, ledger, resources, state, lag } = writing
  const timeoutMs = timeoutFor(lag)
  const eventually: Eventually = async (read, isWanted) => (await readPatiently(lag, read, isWanted, timeoutMs)).value
  const resource = resourceNamed(resources, kind)
  const returned = context.redact(answered)
  const isThere = ({ is }: Shown) => is === 'there'
  if (isThere(await eventually(() => readTagged(context, resource, returned, tag), isThere))) {
    ledger.record(n, 'created', returned)
    return
  }
  const search = () => tryFindByTag(context, resource, [tag])
  const found = await eventually(search, ({ length }) => length > 0)
  const id = typeof found !== 'string' && found.length === 1 ? found[0]?.id : undefined
  ledger.record(n, id === undefined ? 'unproven' : 'created', id ?? returned)
  if (id === answered) return
  state.unproven.add(answered)
  const elsewhere = id === undefined ? 'No object shows it' : `${id} shows it`
  context.remark(
    `${returned} was returned for the object tagged ${tag}, but does not show that tag. ${elsewhere}. ${returned} is left alone.`,
  )
}
