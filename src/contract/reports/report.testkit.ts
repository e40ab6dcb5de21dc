/** Sample reports: one with every outcome, and one of a hostile server. */
import { assumed, disputed, documented, type Exchange } from '../check.js'
import type { Report, Result } from '../report.js'
import { verdictOf, type VerdictOptions } from '../verdict.js'

export const resultOf = (more: Partial<Result>): Result => ({
  id: 'letter-has-name',
  title: 'A letter has a name.',
  basis: documented('Letters, 1: A letter has a name.'),
  outcome: 'pass',
  findings: [],
  remarks: [],
  calls: 1,
  retries: 0,
  ms: 12.4,
  ...more,
})

export const reportOf = (
  results: readonly Result[],
  {
    baseUrl,
    headers = [],
    leftOut,
    comparison,
    operations = [],
    neverShown = [],
    ...options
  }: Partial<VerdictOptions> &
    Partial<Pick<Report, 'baseUrl' | 'headers' | 'leftOut' | 'comparison' | 'operations' | 'neverShown'>> = {},
): Report => ({
  target: baseUrl ?? 'the mock in this process',
  baseUrl,
  headers,
  leftOut,
  comparison,
  startedAt: '2026-03-01T10:00:00.000Z',
  operations,
  neverShown,
  results,
  ...verdictOf({ interrupted: false, ...options, results }),
  calls: results.reduce((sum, it) => sum + it.calls, 0),
  retries: results.reduce((sum, it) => sum + it.retries, 0),
  ms: 2345.6,
  interrupted: options.interrupted ?? false,
})

/** A failed check, or a notice if its basis is assumed. */
export const failing = (sentence: string, exchanges: readonly Exchange[], more: Partial<Result> = {}): Result => {
  const basis = more.basis ?? documented('Letters, 1: A letter has a name.')
  const outcome = basis.kind === 'assumed' ? 'notice' : 'fail'
  return resultOf({
    outcome,
    sentence,
    basis,
    findings: [{ code: 'no-name', at: 'Query.letters', sentence, basis, exchanges }],
    ...more,
  })
}

export const exchangeOf = (more: Partial<Exchange> = {}): Exchange => ({
  request: {
    query: 'query Letters($first: Int) {\n  letters(first: $first) {\n    name\n  }\n}',
    variables: { first: 2, order: "it's" },
    operationName: 'Letters',
  },
  status: 200,
  answer: '{"data":{"letters":[{"name":1}]}}',
  ...more,
})

const broken = documented('Letters, 2: At most 25 letters are returned.')
const shared = [exchangeOf()]

export const sample: Report = reportOf(
  [
    resultOf({ id: 'target-answers', title: 'The target answers.' }),
    resultOf({
      id: 'letters-again',
      title: 'Letters MUST be listed again.',
      retries: 2,
      remarks: ['It was visible after 40 ms.'],
    }),
    resultOf({
      id: 'letters-limit',
      title: 'At most `25` letters are returned.',
      basis: broken,
      outcome: 'fail',
      sentence: 'data.letters has 30 elements.',
      findings: [
        {
          code: 'too-many-letters',
          at: 'Query.letters',
          order: 'order_by:name',
          sentence: 'data.letters has 30 elements.',
          basis: broken,
          exchanges: shared,
        },
        {
          code: 'wrong-type',
          at: 'Letter.name',
          times: 30,
          sentence: 'data.letters.0.name is a whole number and must be a string.',
          basis: disputed('The table says String.'),
          exchanges: [...shared],
        },
        {
          code: 'letters-limit',
          at: 'Query.letters',
          sentence: 'It takes GET.',
          basis: broken,
          exchanges: [exchangeOf({ method: 'GET', accept: 'text/html', request: { query: '{ letters { name } }' } })],
        },
      ],
      remarks: ['It was visible after 70 ms.'],
      calls: 3,
    }),
    failing(
      'The page is too long.',
      [1, 2, 3, 4, 5, 6].map((first) =>
        exchangeOf({ request: { query: '{ a }', variables: { first } }, answer: `{"data":${first}}` }),
      ),
      { id: 'letters-guess', title: 'Letters are long.', basis: assumed('Not shown: how long.') },
    ),
    resultOf({
      id: 'letters-size',
      title: 'Letters are small.',
      outcome: 'known',
      sentence: 'The letter is large.',
      findings: [
        {
          code: 'too-large',
          at: 'Letter.size',
          times: 2,
          known: { by: '--known', reason: 'Ticket 7.', owner: 'Ada', until: '2026-12-31' },
          sentence: 'The letter is large.',
          basis: broken,
          exchanges: shared,
        },
      ],
    }),
    resultOf({
      id: 'letters-default',
      title: 'How many letters a page has without `first`.',
      observes: 'pageSize',
      basis: assumed('Not shown.'),
      sentence: 'as expected: 25',
    }),
    resultOf({
      id: 'letters-order',
      title: 'The order of letters.',
      observes: 'order',
      basis: assumed('Not shown.'),
      outcome: 'inconclusive',
      sentence: 'There are no letters.',
    }),
    resultOf({ id: 'a', title: 'A.', outcome: 'skip', sentence: 'There are no letters.', calls: 0 }),
    resultOf({ id: 'b', title: 'B.', outcome: 'skip', sentence: 'There are no letters.', calls: 0 }),
    resultOf({ id: 'c', title: 'C.', outcome: 'skip', sentence: 'The check would write.', calls: 0 }),
    resultOf({ id: 'd', title: 'D.', outcome: 'inconclusive', sentence: 'The list changed while it was read.' }),
    resultOf({ id: 'e', title: 'E.', outcome: 'error', sentence: 'The response was not complete within 10 s.' }),
    resultOf({
      id: 'foreign-data',
      title: 'Foreign data SHOULD NOT change.',
      basis: assumed('Not shown.'),
      outcome: 'inconclusive',
      informs: true,
      sentence: 'Before: 3 letters. After: 4 letters.',
    }),
    resultOf({
      id: 'leaves-no-trace',
      title: 'Everything that the run created MUST be gone.',
      basis: assumed('A rule of the suite.'),
      sentence: '2 created, 1 deleted. L7 of letter, tagged x-1, stays.',
      remarks: ['L7 of letter, tagged x-1, stays.'],
    }),
  ],
  {
    baseUrl: 'https://letters.example/api/v2',
    operations: [
      {
        at: 'Query.letters',
        requests: 12,
        retries: 3,
        p50: 41.5,
        p95: 1234.5,
        judgedBy: ['letters-limit', 'letters-again'],
      },
      { at: 'Query.stamps', requests: 0, retries: 0, judgedBy: [], notJudged: 'No check sent it.' },
      { at: 'Mutation.sendLetter', requests: 0, retries: 0, judgedBy: [], notJudged: 'The check would write.' },
    ],
    neverShown: ['Letter.stamp', 'Letter.sent_at'],
    leftOut: [
      { by: '--skip', checks: ['stamps-shape', 'stamps-price'] },
      { by: '--only', checks: Array.from({ length: 13 }, (_, n) => `paper-${n}`) },
    ],
    comparison: {
      since: '2026-02-28T03:00:00.000Z',
      new: [
        {
          check: 'letters-limit',
          code: 'too-many-letters',
          at: 'Query.letters',
          order: 'order_by:name',
          kind: 'failure',
          sentence: 'data.letters has 30 elements.',
        },
      ],
      fixed: [{ check: 'stamps', code: 'stamps', at: 'Letter.stamp', kind: 'notice', sentence: 'It has no stamp.' }],
      still: [{ check: 'letters-size', code: 'too-large', at: 'Letter.size', kind: 'known', sentence: 'It is large.' }],
      notJudged: [{ check: 'e', code: 'e', at: 'Query.letters', kind: 'failure', sentence: 'It is late.' }],
      inconclusive: [{ check: 'd', sentence: 'The list changed while it was read.' }],
      observations: [{ entry: 'pageSize', was: 'none', is: '25' }],
      noValue: ['Letter.stamp'],
      calls: [14, 13],
      ms: [2000, 2345.6],
    },
    headers: [
      { name: 'x-tenant', value: "o'neill" },
      { name: 'authorization', variable: 'LETTERS_TOKEN', scheme: 'Bearer ' },
    ],
  },
)

const pieces = [
  '\u001b]0;owned\u0007\u001b[2J\u001b[31m',
  ']]>',
  '\0\u0008\u007f\u009b',
  '\ud800 \udfff \ufffe\uffff',
  '\u202eesrever\u2066\u200b\u{e0041}',
  '<img src=x onerror=alert(1)></details></script><!--',
  '| ` `` ```` ~~~~ **b** [l](javascript:x) ![i](http://evil.example/x.png) <http://evil.example> &lt;b&gt;',
  '@octocat #123 GH-123 https://evil.example www.evil.example $x$',
  '\n::error::pwned\r\n  ::set-env name=a::b\n##[error]x ##vso[task.complete] ##teamcity[x]',
  '\u2028# heading\n- item\n```\n',
]

/** Text that attacks terminals, CI services, XML and Markdown. */
export const evil = pieces.join(' ')

const evilExchange: Exchange = {
  request: { query: `query A {\n  a(b: """${evil}""")\n}`, variables: { evil, deep: [{ [evil]: evil }] } },
  status: 200,
  answer: evil + 'x'.repeat(5_000_000),
}

export const hostile: Report = reportOf(
  [
    failing(`The server says “${evil}”.`, [evilExchange], { id: 'f', title: `F ${evil}`, remarks: [evil] }),
    failing(`::error::${evil}`, [{ ...evilExchange, method: 'GET' }], { id: 'n', basis: assumed(evil) }),
    resultOf({
      id: 'k',
      outcome: 'known',
      findings: [
        {
          code: 'c',
          at: evil,
          sentence: evil,
          basis: assumed(evil),
          exchanges: [],
          known: { by: '--known', reason: evil, owner: evil },
        },
      ],
    }),
    ...pieces.map((it, at) => resultOf({ id: `skip-${at}`, outcome: 'skip', sentence: it })),
    resultOf({ id: 'u', outcome: 'inconclusive', sentence: evil }),
    resultOf({ id: 'e', outcome: 'error', sentence: evil }),
    resultOf({ id: 'o', observes: 'entry', sentence: evil }),
    resultOf({ id: 'leaves-no-trace', sentence: evil, remarks: [evil] }),
  ],
  {
    baseUrl: "https://letters.example/it's/##[error]",
    operations: [{ at: evil, requests: 1, retries: 0, judgedBy: [], notJudged: evil }],
    neverShown: [evil],
    headers: [{ name: 'x-`id`$HOME', variable: 'ID' }],
    leftOut: [{ by: '--skip', checks: pieces }],
    comparison: {
      since: '2026-02-28T03:00:00.000Z',
      new: [{ check: 'f', code: 'c', at: evil, order: evil, kind: 'failure', sentence: evil }],
      fixed: [],
      still: [],
      notJudged: [],
      inconclusive: [{ check: 'u', sentence: evil }],
      observations: [{ entry: 'entry', was: evil, is: evil }],
      noValue: [evil],
      calls: [1, 1],
      ms: [1, 1],
    },
  },
)
