/** Mutants that misread variables, aliases, fragments or names of operations. */
import { Kind, type OperationDefinitionNode } from 'graphql'
import { DROP, mapFields, parsed, type AnswerRule, type Via } from './response-walk.js'
import { both, nodeChecks, windowRules } from './check-ids.js'
import { firstAsked } from './field-mutants.js'
import { answering, asking, rejecting, rewritten } from './request-rules.js'
import type { Mutant, Wrap } from './mutant.js'

/** Drops fields that only such fragments select. */
const without = (via: Via): Wrap =>
  mapFields({ '*': (value, place) => (place.via.size === 1 && place.via.has(via) ? DROP : value) })

/** Returns the value of the first alias for all aliases. */
function oneAnswerForAll(): AnswerRule {
  const first = new WeakMap<object, unknown>()
  return (value, { parent }) => {
    if (!first.has(parent)) first.set(parent, value)
    return first.get(parent)
  }
}

export const requestMutants: readonly Mutant[] = [
  {
    id: 'aliases-answered-by-name',
    breaks: 'Fields are returned under their names instead of their aliases.',
    fails: ['aliases'],
    wrap: mapFields({}, (_, field) => field),
  },
  {
    id: 'aliases-answered-once',
    breaks: 'All aliases of a field return the value of the first.',
    fails: ['aliases'],
    wrap: mapFields({ 'Query.customers': oneAnswerForAll(), 'Query.segments': oneAnswerForAll() }),
  },
  {
    id: 'named-fragments-ignored',
    breaks: 'Named fragments are ignored.',
    fails: ['fragments'],
    wrap: without('named'),
  },
  {
    id: 'inline-fragments-ignored',
    breaks: 'Inline fragments with a type are ignored.',
    fails: [...nodeChecks, 'fragments'],
    wrap: without('inline'),
  },
  {
    id: 'untyped-fragments-ignored',
    breaks: 'Inline fragments without a type are ignored.',
    fails: ['fragments'],
    wrap: without('untyped'),
  },
  {
    id: 'several-fragments-rejected',
    breaks: 'A document with fragments on several types is an error.',
    fails: ['node-fragments'],
    wrap: rejecting(({ query }) =>
      (query.match(/\.\.\. on /g)?.length ?? 0) > 2 ? 'Only one type is allowed.' : undefined,
    ),
  },
  {
    id: 'operation-name-rejected',
    breaks: 'An operation with a name is an error.',
    fails: [
      ...both(...windowRules),
      // The check of aliases takes an error as inconclusive.
      ...firstAsked.filter(({ check, name }) => name !== '' && check !== 'aliases').map(({ check }) => check),
    ],
    wrap: rejecting(({ operationName }) => (operationName === undefined ? undefined : 'There is no such operation.')),
  },
  {
    id: 'literals-ignored',
    breaks: 'A literal id is replaced.',
    fails: ['literals'],
    wrap: asking((request) =>
      rewritten(request, {
        Argument: (node) =>
          node.name.value === 'id' && node.value.kind === Kind.STRING
            ? { ...node, value: { ...node.value, value: 'nothing' } }
            : undefined,
      }),
    ),
  },
  {
    id: 'variables-ignored',
    breaks: 'Variables are ignored.',
    fails: [
      ...both('shape', ...windowRules),
      'fragments',
      'integration-shape',
      'store-products-shape',
      'store-shape',
      'type-names',
    ],
    wrap: asking((request) => ({ ...request, variables: undefined })),
  },
  {
    id: 'optional-variables-required',
    breaks: 'Optional variables are required.',
    fails: ['customers-shape', 'segments-shape'],
    wrap: rejecting(({ query, variables = {} }) =>
      (parsed(query).definitions[0] as OperationDefinitionNode).variableDefinitions?.some(
        (it) => variables[it.variable.name.value] === undefined,
      )
        ? 'A variable is missing.'
        : undefined,
    ),
  },
  {
    id: 'node-answered-with-an-error',
    breaks: '`node` returns its data and an error.',
    fails: nodeChecks,
    wrap: (target) => ({
      ...target,
      async send(request, options) {
        const answer = await target.send(request, options)
        if (!answer.body.data?.['node']) return answer
        return { ...answer, body: { ...answer.body, errors: [{ message: 'Something went wrong.' }] } }
      },
    }),
  },
  {
    id: 'data-null',
    breaks: 'The answer has neither data nor an error.',
    fails: ['target-answers', ...firstAsked.map(({ check }) => check)],
    wrap: answering((answer) => ({ ...answer, body: { data: null } })),
  },
  {
    id: 'account-null',
    breaks: '`account` is null, with an error.',
    fails: [
      'account-shape',
      'aliases',
      'anonymous',
      'fragments',
      'integrations-shape',
      'pixels-shape',
      'stores-shape',
      'type-names',
    ],
    wrap: (target) => ({
      ...target,
      async send(request, options) {
        const answer = await target.send(request, options)
        const { data } = answer.body
        if (!data || !/\baccount\b/.test(request.query)) return answer
        return { ...answer, body: { data: { ...data, account: null }, errors: [{ message: 'It broke.' }] } }
      },
    }),
  },
]
