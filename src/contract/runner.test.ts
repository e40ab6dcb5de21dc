/** The runner: errors of checks become outcomes, and a run keeps its limits. */
import { parse } from 'graphql'
import { describe, expect, test } from 'vitest'
import { defaultProfile } from '../profile.js'
import { assumed, inconclusive, documented, skip, CheckFailure, fail, type Check } from './check.js'
import { operation } from './operation.js'
import { runChecks, type RunOptions, type WriteAccess } from './runner.js'
import { createShapes } from './shape.js'
import { TargetError, type Answer, type GraphqlRequest, type SendOptions, type Target } from '../client/target.js'

const definitions = parse(/* GraphQL */ `
  directive @assumed(reason: String!, part: String) on FIELD_DEFINITION
  type Query {
    letter: Letter
  }
  type Mutation {
    letter: Letter
  }
  type Letter {
    name: String
    guess: Int @assumed(reason: "Not shown.")
  }
`)
const shapes = createShapes({ definitions })

type Answering = (request: GraphqlRequest, options: SendOptions) => object | Promise<object>

function scripted(answer: Answering): Target & { readonly sent: string[] } {
  const sent: string[] = []
  return {
    name: 'letters',
    sent,
    redact: (text) => text.replaceAll('s3cret', '[secret]'),
    async send(request, options = {}): Promise<Answer> {
      sent.push(request.query)
      const body =
        request.query === '{ __typename }' ? { data: { __typename: 'Query' } } : await answer(request, options)
      return { status: 200, body, ms: 1 }
    },
    close: async () => {},
  }
}

const check = (id: string, run: Check['run'], more: Partial<Check> = {}): Check => ({
  id,
  title: `${id} holds.`,
  basis: documented('Letters, 1.'),
  run,
  ...more,
})

const run = (
  checks: readonly Check[],
  target: Target = scripted(() => ({ data: {} })),
  more: Partial<RunOptions> = {},
) => runChecks({ checks, target, shapes, expected: defaultProfile, ...more })

async function outcomeOf(one: Check, target?: Target, more?: Partial<RunOptions>) {
  const { results } = await run([one], target, more)
  const result = results.find(({ id }) => id === one.id)
  return [result?.outcome, result?.sentence]
}

const letter = operation('{ letter { name } }')

describe('The outcome of a check that throws', () => {
  test.each<[string, Check['run'], Partial<Check>, unknown[]]>([
    ['nothing', async () => {}, {}, ['pass', undefined]],
    ['a sentence', async () => 'as assumed: a', { observes: 'a' }, ['pass', 'as assumed: a']],
    ['a failure', async () => fail('It is b.'), {}, ['fail', 'It is b.']],
    [
      'a failure of an assumed promise',
      async () => fail('It is b.'),
      { basis: assumed('Not shown.') },
      ['notice', 'It is b.'],
    ],
    ['a failure in an observation', async () => fail('It is b.'), { observes: 'a' }, ['inconclusive', 'It is b.']],
    ['a skip', async () => skip('There are no letters.'), {}, ['skip', 'There are no letters.']],
    ['inconclusive', async () => inconclusive('The list changed.'), {}, ['inconclusive', 'The list changed.']],
    [
      'a crash',
      async () => {
        throw new TypeError('x is undefined')
      },
      {},
      ['error', 'The check crashed: x is undefined'],
    ],
  ])('%s', async (_, body, more, expected) => {
    expect(await outcomeOf(check('a', body, more))).toEqual(expected)
  })

  test('A finding can have a weaker basis than its check.', async () => {
    const weak = check('a', async () => {
      throw new CheckFailure([{ sentence: 'Only a guess.', basis: assumed('Not shown.') }])
    })
    expect(await outcomeOf(weak)).toEqual(['notice', 'Only a guess.'])
  })

  test('An error after a finding is an error, unless the finding fails the run.', async () => {
    const cause = new TargetError('No answer.')
    const both = check('a', async () => {
      throw new CheckFailure([{ sentence: 'It is b.' }], { cause })
    })
    const known = { check: 'a', code: 'a', at: 'a', reason: 'Ticket 7.', place: 'known.yaml:1' }
    expect(await outcomeOf(both)).toEqual(['fail', 'It is b.'])
    expect(await outcomeOf(both, undefined, { known: [known] })).toEqual(['error', 'No answer.'])
    expect(await outcomeOf({ ...both, basis: assumed('Not shown.') })).toEqual(['error', 'No answer.'])
  })
})

describe('A documented request', () => {
  test.each<[string, object, unknown[]]>([
    ['answered in its shape passes', { data: { letter: { name: 'A' } } }, ['pass', undefined]],
    [
      'answered in another shape fails',
      { data: { letter: { name: 1 } } },
      ['fail', 'data.letter.name is a whole number and must be a string.'],
    ],
    [
      'answered with an error fails',
      { errors: [{ message: 'No.' }] },
      ['fail', 'The server rejects a request that the specification allows: “No.”.'],
    ],
    [
      'answered with data and an error fails',
      { data: { letter: null }, errors: [{ message: 'No.' }] },
      ['fail', 'The server rejects a request that the specification allows: “No.”.'],
    ],
    ['answered with nothing fails', { data: null }, ['fail', 'The response has neither data nor errors.']],
  ])('%s', async (_, body, expected) => {
    const one = check('a', async (context) => void (await context.ask(letter)))
    expect(
      await outcomeOf(
        one,
        scripted(() => body),
      ),
    ).toEqual(expected)
  })
})

test('The evidence is the request and the answer, shortened and without secrets.', async () => {
  const echo = scripted(() => ({ data: { letter: { name: `${'x'.repeat(3970)} s3cret` } } }))
  const one = check('a', async (context) => {
    await context.ask(letter)
    fail('It is long.')
  })
  const { results } = await run([one], echo)
  const [exchange] = results[1]?.findings[0]?.exchanges ?? []
  expect(exchange).toMatchObject({ request: { query: letter.document }, status: 200 })
  expect(exchange?.answer).toHaveLength(4001)
  expect(exchange?.answer).not.toContain('s3c')
})

test('The evidence shows no secret of the server, such as the access token of an integration.', async () => {
  const details = { access_token: 'EAAB-theirs', inner: { tokens: ['theirs'] }, pixel: '12' }
  const one = check('a', async (context) => {
    await context.send(letter)
    fail('The pixel is "12".')
  })
  const { results } = await run(
    [one],
    scripted(() => ({ data: { letter: { details } } })),
  )
  const answer = results[1]?.findings[0]?.exchanges[0]?.answer ?? ''
  expect(JSON.parse(answer)).toEqual({
    data: { letter: { details: { access_token: '[secret]', inner: { tokens: ['[secret]'] }, pixel: '12' } } },
  })
})

describe('A run that reads', () => {
  test.each([
    'mutation { letter { name } }',
    'query A { letter { name } } mutation B { letter { name } }',
    'subscription { x }',
  ])('never sends %s', async (query) => {
    const target = scripted(() => ({ data: {} }))
    const one = check('a', async (context) => void (await context.send({ query })))
    expect(await outcomeOf(one, target)).toEqual(['skip', 'The check would send a mutation, and this run only reads.'])
    expect(target.sent).toEqual(['{ __typename }'])
  })

  test('never sends a document that it cannot parse', async () => {
    const target = scripted(() => ({ data: {} }))
    const one = check('a', async (context) => void (await context.send({ query: 'mutation { letter { name }' })))
    expect((await outcomeOf(one, target))[0]).toBe('skip')
    expect(target.sent).toEqual(['{ __typename }'])
  })
})

describe('An assumed field is selected', () => {
  const guess = check('a', async (context) => void (await context.ask(operation('{ letter { guess } }'))))
  const introspected = (fields: readonly string[] | undefined) =>
    scripted(({ query }) =>
      query.includes('__type(')
        ? fields
          ? { data: { __type: { fields: fields.map((name) => ({ name, args: [] })) } } }
          : { errors: [{ message: 'Introspection is off.' }] }
        : { data: { letter: { guess: 1 } } },
    )

  test('if the introspection of the server has it', async () => {
    expect(await outcomeOf(guess, introspected(['name', 'guess']))).toEqual(['pass', undefined])
  })

  test.each([[['name']], [undefined]])('not if the introspection has %j', async (fields) => {
    const target = introspected(fields)
    expect(await outcomeOf(guess, target)).toEqual([
      'skip',
      "The check needs Letter.guess, which is assumed and not in the server's introspection. Use --include-assumed to send it anyway.",
    ])
    expect(target.sent).not.toContain('{ letter { guess } }')
  })

  test('with --include-assumed', async () => {
    expect(await outcomeOf(guess, introspected(undefined), { includeAssumed: true })).toEqual(['pass', undefined])
  })
})

describe('A run ends', () => {
  const asking = (id: string) => check(id, async (context) => void (await context.send(letter)))

  test('at --max-requests', async () => {
    const target = scripted(() => ({ data: {} }))
    const { results, calls } = await run(['a', 'b', 'c'].map(asking), target, { maxRequests: 3 })
    expect(results.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'pass', 'inconclusive'])
    expect(results[3]?.sentence).toBe('The run used up its 3 requests. Allow more with --max-requests.')
    expect([calls, target.sent.length]).toEqual([3, 3])
  })

  const silent = scripted(
    (_, { signal }) =>
      new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error))),
  )

  test('at --run-timeout', async () => {
    const { results } = await run(['a', 'b'].map(asking), silent, { runTimeout: 50 })
    const late = 'The run ended after 0.05 s, before this was known. Allow more time with --run-timeout.'
    expect(results.slice(1).map(({ outcome, sentence }) => [outcome, sentence])).toEqual([
      ['error', late],
      ['skip', 'The run stopped after request 3.'],
    ])
  })

  test('if it is interrupted, with the results so far', async () => {
    const end = new AbortController()
    const stop = check('b', async (context) => {
      end.abort()
      await context.send(letter)
    })
    const report = await run([check('a', async () => {}), stop, asking('c')], silent, {
      signal: end.signal,
      concurrency: 1,
    })
    expect(report.results.map(({ outcome }) => outcome)).toEqual(['pass', 'pass', 'skip', 'skip'])
    expect([report.interrupted, report.exitCode]).toEqual([true, 130])
  })

  test('before the first check, if the target cannot be reached', async () => {
    const target: Target = {
      ...scripted(() => ({})),
      send: () => Promise.reject(new TargetError('The target refused the connection.', { permanent: true })),
    }
    const report = await run(['a', 'b'].map(asking), target)
    expect(report.results.map(({ id, outcome, sentence }) => [id, outcome, sentence])).toEqual([
      ['target-answers', 'error', 'The target refused the connection.'],
    ])
    expect(report.exitCode).toBe(2)
  })

  test('not after a permanent error of a GET, or with another Accept', async () => {
    const target = scripted((_, { method, accept }) =>
      method || accept ? Promise.reject(new TargetError('No page.', { permanent: true })) : { data: {} },
    )
    const get = check('a', async (context) => void (await context.send(letter, { method: 'GET' })))
    const html = check('b', async (context) => void (await context.send(letter, { accept: 'text/html' })))
    const { results } = await run([get, html, asking('c')], target, { concurrency: 1 })
    expect(results.slice(1).map(({ outcome }) => outcome)).toEqual(['error', 'error', 'pass'])
  })

  test('without further requests after a permanent error', async () => {
    const target = scripted(() => Promise.reject(new TargetError('The target denied access.', { permanent: true })))
    const { results } = await run(['a', 'b', 'c'].map(asking), target, { concurrency: 1 })
    expect(results.slice(1).map(({ outcome, calls }) => [outcome, calls])).toEqual([
      ['error', 1],
      ['skip', 0],
      ['skip', 0],
    ])
    expect(target.sent).toHaveLength(2)
  })
})

test('Checks of one serial group run one after the other; the report keeps the order of the list.', async () => {
  const log: string[] = []
  const slow = (id: string, serialGroup?: string) =>
    check(
      id,
      async () => {
        log.push(`${id}+`)
        await new Promise((resolve) => setTimeout(resolve, 5))
        log.push(`${id}-`)
      },
      serialGroup === undefined ? {} : { serialGroup },
    )
  const { results } = await run([slow('x'), slow('a', 'one'), slow('b', 'one'), slow('c', 'one')])
  expect(results.map(({ id }) => id)).toEqual(['target-answers', 'x', 'a', 'b', 'c'])
  expect(log.filter((it) => !it.startsWith('x'))).toEqual(['a+', 'a-', 'b+', 'b-', 'c+', 'c-'])
  expect(log.indexOf('x+')).toBeLessThan(log.indexOf('b+'))
})

test('A shared value is made once in each run.', async () => {
  let count = 0
  const sharing = (id: string) => check(id, async (context) => void context.shared('n', () => (count += 1)))
  await run([sharing('a'), sharing('b')])
  await run([sharing('a')])
  expect(count).toBe(2)
})

describe('A target that answers none of the probes', () => {
  const probes = [letter, letter]
  const answering = (error: object) => scripted(() => ({ errors: [error] }))
  const reached = async (target: Target) => (await run([], target, { probes })).results[0]

  test.each([
    [{ message: 'Not on the list.', extensions: { code: 'QUERY_NOT_IN_SAFELIST' } }, 'and which operations'],
    [{ message: 'Internal server error' }, 'Check its log.'],
  ])('ends the run with %j', async (error, advice) => {
    const result = await reached(answering(error))
    expect(result).toMatchObject({ outcome: 'error', sentence: expect.stringContaining(advice) })
  })

  test('is judged if it rejects only these requests', async () => {
    expect(await reached(answering({ message: 'No.' }))).toMatchObject({ outcome: 'pass' })
  })
})

test('A query is sent once more after a server error. Requests are counted once, and cleanup counts.', async () => {
  let calls = 0
  const target = scripted(() => ((calls += 1) === 1 ? { errors: [{ message: 'Internal error' }] } : { data: {} }))
  const write: WriteAccess = {
    allowed: [],
    begin: async () => {},
    writerFor: () => expect.unreachable(),
    rejected: () => [],
    finish: async (context, found) => (await context.call(letter), found),
  }
  const { results, operations, ...total } = await run(
    [check('a', async (context) => void (await context.send(letter)))],
    target,
    { write },
  )
  expect(results[1]).toMatchObject({ outcome: 'pass', calls: 1, retries: 1 })
  expect([total.calls, total.retries]).toEqual([3, 1])
  expect(operations[0]).toMatchObject({ at: 'Query.letter', requests: 2, retries: 1 })
  expect(results[2]).toMatchObject({
    id: 'retries',
    outcome: 'notice',
    sentence: '1 retry was needed: 1 after a server error with status 200.',
  })
})

test('An operation above --max-latency fails the run, unless that is known or a notice.', async () => {
  const times = [5, 1, 9]
  const target = scripted(() => ({ data: { letter: { name: null } } }))
  const timed = {
    ...target,
    send: async (...sent: Parameters<Target['send']>) => ({ ...(await target.send(...sent)), ms: times.pop() ?? 4 }),
  }
  const asking = check('a', async (context) => {
    for (let n = 0; n < 3; n += 1) await context.ask(letter)
  })
  const more = { maxLatency: { p50: 3, p95: 9 } }
  const { exitCode, verdict, results, operations, neverShown } = await run([asking], timed, more)
  expect(operations[0]).toEqual({ at: 'Query.letter', requests: 3, retries: 0, p50: 4, p95: 5, judgedBy: ['a'] })
  expect(neverShown).toEqual(['Letter.name'])
  expect([exitCode, results[2]?.findings.map(({ code, at }) => [code, at])]).toEqual([
    1,
    [['slow-p50', 'Query.letter']],
  ])
  expect([verdict, results[2]?.sentence]).toEqual([
    '1 check failed: max-latency.',
    'Query.letter was too slow: the p50 of 3 requests was 4 ms, and --max-latency allows 3 ms.',
  ])
  const listed = { check: 'max-latency', code: 'slow-p50', at: 'Query.letter', reason: 'Slow.', place: 'a:1' }
  expect((await run([asking], timed, { ...more, known: [listed] })).exitCode).toBe(0)
  const severity = [{ check: 'max-latency', severity: 'notice' as const }]
  expect((await run([asking], timed, { ...more, severity, strict: true })).exitCode).toBe(0)
})

test('A notice says something of its operation, too.', async () => {
  const asking = check('a', async (context) => {
    await context.ask(letter)
    fail('It is late.')
  })
  const target = scripted(() => ({ data: { letter: { name: null } } }))
  const { operations } = await run([{ ...asking, basis: assumed('Not shown.') }], target)
  expect(operations[0]?.judgedBy).toEqual(['a'])
})

test('A secret that a server sends as a field is no place of a finding.', async () => {
  const target = { ...scripted(() => ({ data: { letter: { name: null, hush: 1 } } })), redact: () => '[secret]' }
  const asking = check('a', async (context) => void (await context.ask(letter)))
  const { results } = await run([asking], target)
  expect(results[1]?.findings.map(({ code, at }) => [code, at])).toEqual([['unexpected-field', '[secret]']])
})

test.each([
  ['ACCESS_DENIED', 'Not for you.'],
  ['MAX_DEPTH_EXCEEDED', 'No.'],
])('An error of a permission or a limit is inconclusive: %s.', async (code, message) => {
  const target = scripted(() => ({ errors: [{ message, extensions: { code } }] }))
  const asking = check('a', async (context) => void (await context.ask(letter)))
  expect(await outcomeOf(asking, target)).toEqual(['inconclusive', `The server does not allow this: “${message}”.`])
})
