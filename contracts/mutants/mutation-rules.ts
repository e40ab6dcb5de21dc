/** Rules that change what a target does, or answers, for a mutation. */
import type { Data } from '../../src/contract/check.js'
import { Kind, print, visit, type DocumentNode } from 'graphql'
import type { Answer, GraphqlError, Target } from '../../src/client/target.js'
import { mapFields, parsed, type AnswerRules } from './response-walk.js'
import type { Mutant, Variant, Wrap } from './mutant.js'

export interface Tools {
  /** Asks the original target. */
  ask(query: string, variables?: Data): Promise<Data>
  /** The ids of created objects in their order, by the mutation that created them. */
  readonly made: ReadonlyMap<string, readonly string[]>
}

/** Replaces one mutation. `proceed` sends it on, with other arguments if given. */
export type MutationRule = (args: Data, proceed: (args?: Data) => Promise<Data>, tools: Tools) => Promise<unknown>

/** By the name of the mutation. */
export type MutationRules = Readonly<Record<string, MutationRule>>

interface MutationField {
  /** The name of its operation. */
  readonly operation: string | undefined
  readonly key: string
  readonly name: string
  /** Variables by the argument that they are passed to. */
  readonly variables: Readonly<Record<string, string>>
  /** The document with this field alone. */
  readonly alone: string
}

const known = new Map<string, readonly MutationField[]>()

/** The mutations of a document. */
export function mutationsIn(query: string): readonly MutationField[] {
  const fields = known.get(query) ?? (/\bmutation\b/.test(query) ? readMutations(parsed(query)) : [])
  known.set(query, fields)
  return fields
}

function readMutations(document: DocumentNode): readonly MutationField[] {
  return document.definitions.flatMap((definition) => {
    if (definition.kind !== Kind.OPERATION_DEFINITION || definition.operation !== 'mutation') return []
    return definition.selectionSet.selections.flatMap((field): MutationField[] => {
      if (field.kind !== Kind.FIELD) return []
      const given = (field.arguments ?? []).flatMap(({ name, value }) =>
        value.kind === Kind.VARIABLE ? [[name.value, value.name.value] as const] : [],
      )
      const used = new Set<string>()
      visit(field, { Variable: ({ name }) => void used.add(name.value) })
      const alone = {
        ...definition,
        variableDefinitions: (definition.variableDefinitions ?? []).filter((it) => used.has(it.variable.name.value)),
        selectionSet: { ...definition.selectionSet, selections: [field] },
      }
      return [
        {
          operation: definition.name?.value,
          key: field.alias?.value ?? field.name.value,
          name: field.name.value,
          variables: Object.fromEntries(given),
          alone: print(alone),
        },
      ]
    })
  })
}

/** The original target answered with errors, which are passed on. */
class Failed extends Error {
  readonly answer: Answer
  constructor(answer: Answer) {
    super('The target answered with errors.')
    this.answer = answer
  }
}

/** The id of a created object. */
const idIn = (value: Data): unknown => (value['store'] as Data | undefined)?.['id'] ?? value['id']

/** A target that follows rules for mutations. */
export const mutating =
  (rules: MutationRules): Wrap =>
  (target) => {
    const made = new Map<string, string[]>()
    const tools: Tools = {
      made,
      ask: async (query, variables = {}) => (await target.send({ query, variables })).body.data ?? {},
    }
    return {
      ...target,
      async send(request, options) {
        const { variables: given = {}, operationName } = request
        const fields = mutationsIn(request.query).filter((it) => it.operation === (operationName ?? it.operation))
        if (fields.length === 0) return target.send(request, options)
        const data: Record<string, unknown> = {}
        const errors: GraphqlError[] = []
        for (const { key, name, variables, alone } of fields) {
          const args = Object.fromEntries(Object.entries(variables).map(([arg, it]) => [arg, given[it]]))
          const proceed = async (changed: Data = args): Promise<Data> => {
            const sent = Object.entries(variables).flatMap(([arg, it]) => (arg in changed ? [[it, changed[arg]]] : []))
            const own = Object.fromEntries(Object.entries(given).filter(([it]) => alone.includes(`$${it}`)))
            const asked = {
              ...request,
              query: alone,
              operationName,
              variables: { ...own, ...Object.fromEntries(sent) },
            }
            const answer = await target.send(asked, options)
            const value = answer.body.data?.[key]
            if (value === null || value === undefined) throw new Failed(answer)
            if (name.startsWith('create')) made.set(name, [...(made.get(name) ?? []), String(idIn(value as Data))])
            return value as Data
          }
          try {
            data[key] = await (rules[name] ?? sendOn)(args, proceed, tools)
          } catch (error) {
            if (!(error instanceof Failed)) throw error
            data[key] = null
            errors.push(...(error.answer.body.errors ?? []))
          }
        }
        return { status: 200, retries: 0, ms: 0, body: { data, ...(errors.length > 0 ? { errors } : {}) } }
      },
    }
  }

const sendOn: MutationRule = (_, proceed) => proceed()

/** Sends other arguments on. */
export const sending =
  (change: (args: Data, tools: Tools) => Data | Promise<Data>): MutationRule =>
  async (args, proceed, tools) =>
    proceed(await change(args, tools))

/** Does what it is asked and answers something else. */
export const answeringWith =
  (change: (value: Data, args: Data, tools: Tools) => unknown): MutationRule =>
  async (args, proceed, tools) =>
    change(await proceed(), args, tools)

/** Rules for mutations and reads that share the state of one run. */
export const stateful =
  <State>(
    begin: () => State,
    rules: (state: State) => { readonly writes?: MutationRules; readonly reads?: AnswerRules },
  ): Wrap =>
  (target, shapes) => {
    const { writes = {}, reads = {} } = rules(begin())
    const reading = Object.keys(reads).length === 0 ? target : mapFields(reads)(target, shapes)
    return mutating(writes)(reading, shapes)
  }

/** Options of a run for a mutant or a variant. */
export interface WriteRunOptions {
  /** SDL, as --inputs gives it. */
  readonly inputs?: string | undefined
  /** As --values gives them. */
  readonly values?: Readonly<Record<string, Data>> | undefined
  readonly includeAssumed?: boolean | undefined
  readonly recoverPages?: number | undefined
  readonly consistencyTimeout?: number | undefined
}

/** What mutants and variants of writing have in addition. */
export interface OfWriting {
  readonly run?: WriteRunOptions | undefined
  /** Whether other people change the account meanwhile. */
  readonly moving?: boolean | undefined
  /** Combines the target with a second one of the same world. */
  readonly replica?: ((target: Target, replica: Target) => Target) | undefined
}

export type WriteMutant = Mutant & OfWriting
export type WriteVariant = Variant & OfWriting
