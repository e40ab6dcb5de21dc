/** Request variants: aliases, fragments, literals and anonymous operations MUST all be answered alike. */
import type { GraphqlBody } from '../../src/client/target.js'
import { inconclusive, documented, fail, type Check, type Context, type Data } from '../../src/contract/check.js'
import { seenIn } from '../../src/contract/evidence.js'
import { judged } from '../../src/contract/judge.js'
import { operation, rootsOf, withLiterals, withVariables, type Operation } from '../../src/contract/operation.js'
import { customers } from '../customers.js'
import { judgeAll, judgeEach } from '../support/judge-each.js'
import { answerOf, asks, objectsOf } from '../support/samples.js'

const selection = documented(
  'Endpoints: The selection set chosen by the client decides which fields of the returned type come back.',
)
const graphql = documented('What the service does: Every operation is a GraphQL query or mutation.')

export const aliased = operation(
  `query Aliased($query: String!) {
  mine: account { id }
  few: customers(query: $query, first: 1) { all: edges { who: node { key: id full_name: id } } }
  more: customers(query: $query, first: 2) { edges { node { id } } }
}`,
  { query: '' },
)

/** Only on types that the specification names, which the edge of a connection is not. */
export const fragments = operation(
  `query Fragments($query: String!) {
  ...Owner
  account { facebook_pixels { label } }
  account { integrations { label } }
  customers(query: $query, first: 2) {
    edges { cursor node { ...Person ... on Customer { full_name } ... { orders_count } } }
  }
}
fragment Owner on Query { account { id } }
fragment Person on Customer { id ...Number }
fragment Number on Customer { _id }`,
  { query: '' },
)

/** One document for objects of any type. */
const byFragments = operation(`query ByFragments($id: ID!) {
  node(id: $id) {
    id
    ... on Store { name products { title } }
    ... on Segment { name description }
    ... on Customer { full_name expenses }
  }
}`)

export const typeNames = operation(
  `query TypeNames($query: String!) {
  account {
    __typename facebook_pixels { __typename } integrations { __typename } stores { __typename }
  }
  segments(query: $query, first: 3) { edges { node { __typename } } }
  customers(query: $query, first: 3) { edges { node { __typename } } }
}`,
  { query: '' },
)

/** The directives leave out half of the fields. */
export const directives = operation(
  `query Directives($query: String!, $yes: Boolean!, $no: Boolean!) {
  customers(query: $query, first: 2) {
    edges {
      node {
        id
        _id @skip(if: $yes)
        full_name @skip(if: $no)
        avatar @include(if: $no)
        expenses @include(if: $yes)
        orders_count @skip(if: true)
        ... on Customer @include(if: false) { created_at }
        ... on Customer @skip(if: $no) { updated_at }
        ...Number @include(if: $no)
      }
    }
  }
}
fragment Number on Customer { _id }`,
  { query: '', yes: true, no: false },
)

export const defaults = operation(`query Defaults($query: String! = "", $first: Int = 1) {
  customers(query: $query, first: $first) { edges { node { id } } }
}`)

/** Two operations for one document. A client runs one of them. */
export const named: readonly Operation[] = [
  operation('query One { account { id } }'),
  operation('query Two($query: String!) { customers(query: $query) { edges { cursor } } }', { query: '' }),
]

/** Two operations with the same answer, so it does not matter which one runs. */
const alike = 'query One { account { id } }\nquery Other { account { id } }'

export const anonymous = operation('{ account { id } }')

/** How many customers an answer has. */
const countIn = ({ customers: found }: Data): number =>
  ((found as Data | null)?.['edges'] as readonly unknown[] | null | undefined)?.length ?? 0

const customerCount = async (context: Context, asked: Operation) => countIn(await context.ask(asked))

/** Fails if `first: 1` works when it is sent in the usual way. */
async function failIfOnlySo(context: Context, sentence: string): Promise<void> {
  const evidence = context.last()
  if ((await customerCount(context, withVariables(customers, { query: '', first: 1 }))) === 1)
    fail(sentence, { code: 'too-many-elements', at: 'Query.customers', exchanges: evidence })
  inconclusive('`first: 1` does not return one element, which customers-first judges.')
}

/** Judges the answer to a document written in a way that a server may reject. */
async function askUnlessRejected(context: Context, asked: Operation, what: string): Promise<Data> {
  const { body, judge } = await answerOf(context, asked)
  inconclusiveIfRejected(body, what)
  return judge()
}

function inconclusiveIfRejected({ errors, data }: GraphqlBody, what: string): void {
  const [error] = errors ?? []
  if (error && !data) inconclusive(`The server rejects ${what}: “${error.message}”.`)
}

/** Judges the answer to several root fields, or one answer to each from a server that takes one at a time. */
const asksRoots =
  (asked: Operation): Check['run'] =>
  async (context) => {
    const { body, judge } = await answerOf(context, asked)
    const [error] = body.errors ?? []
    if (!error || body.data) return void judge()
    await judgeEach(context, rootsOf(asked), (it) => context.ask(it))
    context.remark(`The server rejects several root fields in one document: “${error.message}”.`)
  }

/** `node` finds the first customer of the list. */
async function judgeFound(
  context: Context,
  ask: (id: unknown) => Operation,
  how: string,
  send = (asked: Operation) => context.ask(asked),
): Promise<void> {
  const [one] = await objectsOf(context, customers)
  const data = await send(ask(one?.['id']))
  if (data['node'] !== null) return
  fail(`\`node\` is null for ${String(one?.['id'])} sent ${how}, but the list has it.`, {
    at: 'Query.node',
    exchanges: seenIn(one, data),
  })
}

export const requestVariantChecks: readonly Check[] = [
  {
    id: 'aliases',
    title: 'Fields MUST be returned under their aliases, also one field under several aliases.',
    basis: selection,
    async run(context) {
      await askUnlessRejected(context, aliased, 'aliases')
    },
  },
  {
    id: 'fragments',
    title: 'Named and inline fragments MUST select their fields.',
    basis: selection,
    run: asksRoots(fragments),
  },
  {
    id: 'node-fragments',
    title: '`node` MUST apply the fragment on the type of the object.',
    basis: documented(
      'What the service does: Any object can be retrieved through the generic `node(id)` query with a type fragment (`... on Store`, `... on Segment`, `... on Customer`).',
    ),
    run: (context) => judgeFound(context, (id) => withVariables(byFragments, { id }), 'as a variable'),
  },
  {
    id: 'type-names',
    title: '`__typename` MUST be the name of the type.',
    basis: documented('Customer: __typename: string, the GraphQL type name (`Customer`).'),
    run: asksRoots(typeNames),
  },
  {
    id: 'literals',
    title: 'An argument written into the document MUST work like a variable.',
    basis: graphql,
    async run(context) {
      const literal = (id: unknown) =>
        operation(withLiterals(withVariables(byFragments, { id }), context.shapes.schema))
      const ask = (it: Operation) => askUnlessRejected(context, it, 'literal arguments')
      // The …-shape check reports what is wrong with all of them.
      await objectsOf(context, customers)
      await judgeAll(
        context,
        () => judgeFound(context, literal, 'as a literal', ask),
        async () => {
          const asked = operation('query Literal { customers(query: "", first: 1) { edges { node { id } } } }')
          const count = countIn(await ask(asked))
          if (count > 1) await failIfOnlySo(context, `\`first: 1\` sent as a literal returns ${count} elements.`)
        },
      )
    },
  },
  {
    id: 'anonymous',
    title: 'An operation without a name MUST be answered.',
    basis: graphql,
    async run(context) {
      const { account } = await askUnlessRejected(context, anonymous, 'operations without a name')
      if (account === null) inconclusive('`account` is null, which account-shape judges.')
    },
  },
  {
    id: 'directives',
    title: '`@skip` and `@include` MUST leave out fields and fragments, and keep the others.',
    basis: selection,
    ...asks(directives),
  },
  {
    id: 'variable-defaults',
    title: 'A variable that is not sent MUST have its default value, and one that is sent its own.',
    basis: graphql,
    async run(context) {
      const byDefault = await customerCount(context, defaults)
      if (byDefault > 1)
        await failIfOnlySo(context, `\`$first: Int = 1\` was not sent, and ${byDefault} elements are returned.`)
      const all = await objectsOf(context, customers, { anyShape: true })
      if (all.length < 2) inconclusive('This needs two customers.')
      const sent = await customerCount(context, withVariables(defaults, { first: 2 }))
      if (sent === byDefault)
        fail(`\`$first: Int = 1\` was sent as 2, and ${sent} element is returned.`, { at: 'Query.customers' })
    },
  },
  {
    id: 'operation-names',
    title: 'The operation of `operationName` MUST run, if a document has several.',
    basis: graphql,
    async run(context) {
      const { body } = await context.send({ query: alike, operationName: 'One', variables: {} })
      inconclusiveIfRejected(body, 'several operations in one document')
      const query = named.map(({ document }) => document).join('\n')
      await judgeEach(context, named, async (one) => {
        const { body, status } = await context.send({ query, operationName: one.name, variables: one.variables })
        judged(body, one, context.shapes, status)
      })
    },
  },
]
