/** Mutants that misread variables, aliases, fragments or names of operations. */
import { Kind, visit, type OperationDefinitionNode } from 'graphql'
import type { GraphqlRequest } from '../../src/client/target.js'
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

const directiveIgnored = (name: string): Wrap =>
  asking((request) => rewritten(request, { Directive: (node) => (node.name.value === name ? null : undefined) }))

/** Runs the operation at a position of a document that has several. */
const operationAt = (at: number): Wrap =>
  asking((request) => {
    const operations = parsed(request.query).definitions.filter((it) => it.kind === Kind.OPERATION_DEFINITION)
    return operations.length < 2 ? request : { ...request, operationName: operations.at(at)?.name?.value }
  })

/** The names of the variables that have a default value. */
const withDefault = (request: GraphqlRequest): readonly string[] => {
  const names: string[] = []
  visit(parsed(request.query), {
    VariableDefinition: ({ variable, defaultValue }) => void (defaultValue && names.push(variable.name.value)),
  })
  return names
}

export const requestMutants: readonly Mutant[] = [
  ...['skip', 'include'].map((name): Mutant => ({
    id: `${name}-ignored`,
    about: `@${name} is ignored.`,
    killedBy: ['directives'],
    wrap: directiveIgnored(name),
  })),
  {
    id: 'directives-on-fragments-ignored',
    about: 'Directives on fragments are ignored.',
    killedBy: ['directives'],
    wrap: asking((request) =>
      rewritten(request, {
        InlineFragment: (node) => (node.directives?.length ? { ...node, directives: [] } : undefined),
        FragmentSpread: (node) => (node.directives?.length ? { ...node, directives: [] } : undefined),
      }),
    ),
  },
  {
    id: 'variable-defaults-ignored',
    about: 'Default values of variables are ignored.',
    killedBy: ['variable-defaults'],
    wrap: asking((request) =>
      rewritten(request, {
        VariableDefinition: (node) =>
          node.defaultValue && node.type.kind !== Kind.NON_NULL_TYPE ? { ...node, defaultValue: undefined } : undefined,
      }),
    ),
  },
  {
    id: 'variable-defaults-win',
    about: 'Variables with a default value keep it.',
    killedBy: ['variable-defaults'],
    wrap: asking((request) => {
      const names = withDefault(request)
      const sent = Object.entries(request.variables ?? {}).filter(([name]) => !names.includes(name))
      return { ...request, variables: Object.fromEntries(sent) }
    }),
  },
  ...([0, -1] as const).map((at): Mutant => ({
    id: `operation-name-${at === 0 ? 'first' : 'last'}-runs`,
    about: `The ${at === 0 ? 'first' : 'last'} operation of a document runs, whatever operationName says.`,
    killedBy: ['operation-names'],
    wrap: operationAt(at),
  })),
  {
    id: 'fragments-in-fragments-ignored',
    about: 'Fragments in fragments are ignored.',
    killedBy: ['fragments'],
    wrap: asking((request) =>
      rewritten(request, {
        FragmentDefinition: (node) => {
          const selections = node.selectionSet.selections.filter((it) => it.kind === Kind.FIELD)
          return { ...node, selectionSet: { ...node.selectionSet, selections } }
        },
      }),
    ),
  },
  {
    id: 'selections-not-merged',
    about: 'Only the first of two selections of one field counts.',
    killedBy: ['fragments'],
    wrap: asking((request) =>
      rewritten(request, {
        SelectionSet: {
          enter(node) {
            const keys = new Set<string>()
            const selections = node.selections.filter((it) => {
              if (it.kind !== Kind.FIELD || !it.selectionSet) return true
              const key = (it.alias ?? it.name).value
              return keys.size < keys.add(key).size
            })
            return { ...node, selections }
          },
        },
      }),
    ),
  },
  {
    id: 'literal-first-ignored',
    about: '`first` as a literal is ignored.',
    killedBy: ['literals'],
    wrap: asking((request) =>
      rewritten(request, {
        Argument: ({ name, value }) => (name.value === 'first' && value.kind === Kind.INT ? null : undefined),
      }),
    ),
  },
  {
    id: 'aliases-answered-by-name',
    about: 'Fields are returned under their names instead of their aliases.',
    killedBy: ['aliases'],
    wrap: mapFields({}, (_, field) => field),
  },
  {
    id: 'aliases-answered-once',
    about: 'All aliases of a field return the value of the first.',
    killedBy: ['aliases'],
    wrap: mapFields({ 'Query.customers': oneAnswerForAll(), 'Query.segments': oneAnswerForAll() }),
  },
  {
    id: 'named-fragments-ignored',
    about: 'Named fragments are ignored.',
    killedBy: ['fragments'],
    wrap: without('named'),
  },
  {
    id: 'inline-fragments-ignored',
    about: 'Inline fragments with a type are ignored.',
    killedBy: [...nodeChecks, 'directives', 'fragments'],
    wrap: without('inline'),
  },
  {
    id: 'untyped-fragments-ignored',
    about: 'Inline fragments without a type are ignored.',
    killedBy: ['fragments'],
    wrap: without('untyped'),
  },
  {
    id: 'several-fragments-rejected',
    about: 'A document with fragments on several types is an error.',
    killedBy: ['node-fragments'],
    wrap: rejecting(({ query }) =>
      (query.match(/\.\.\. on /g)?.length ?? 0) > 2 ? 'Only one type is allowed.' : undefined,
    ),
  },
  {
    id: 'operation-name-rejected',
    about: 'An operation with a name is an error.',
    killedBy: [
      ...both(...windowRules),
      // These take an error as inconclusive.
      ...firstAsked
        .filter(({ check, name }) => name !== '' && !['aliases', 'operation-names'].includes(check))
        .map(({ check }) => check),
    ],
    wrap: rejecting(({ operationName }) => (operationName === undefined ? undefined : 'There is no such operation.')),
  },
  {
    id: 'literals-ignored',
    about: 'A literal id is replaced.',
    killedBy: ['literals'],
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
    about: 'Variables are ignored.',
    killedBy: [
      ...both('shape', ...windowRules),
      'directives',
      'fragments',
      'integration-shape',
      'operation-names',
      'store-products-shape',
      'store-shape',
      'type-names',
    ],
    wrap: asking((request) => ({ ...request, variables: undefined })),
  },
  {
    id: 'optional-variables-required',
    about: 'Optional variables are required.',
    killedBy: ['customers-shape', 'segments-shape', 'variable-defaults'],
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
    about: '`node` returns its data and an error.',
    killedBy: nodeChecks,
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
    about: 'The answer has neither data nor an error.',
    killedBy: ['target-answers', ...firstAsked.map(({ check }) => check)],
    wrap: answering((answer) => ({ ...answer, body: { data: null } })),
  },
  {
    id: 'account-null',
    about: '`account` is null, with an error.',
    killedBy: [
      'account-shape',
      'aliases',
      'anonymous',
      'fragments',
      'integrations-shape',
      'operation-names',
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
