/** The rivals, as values: how each is started and which cases it can answer. */
import { fileURLToPath } from 'node:url'

const path = (name) => fileURLToPath(new URL(name, import.meta.url))
const reads = ({ writes }) => !writes

/** The real binary. */
export const ours = {
  name: 'ours',
  title: 'commerce-mock serve',
  args: ({ customers }) => [
    path('../../dist/cli/cli.js'),
    'serve',
    '--port',
    '0',
    '--quiet',
    '--customers',
    String(customers),
  ],
  takes: () => true,
  share: 1,
}

export const mercurius = {
  name: 'a',
  title: '(a) mercurius, jit',
  args: ({ records }) => [path('mercurius.mjs'), records],
  takes: () => true,
  share: 1,
}

export const mockStore = {
  name: 'b',
  title: '(b) Yoga, createMockStore',
  args: ({ records }) => [path('mock-store.mjs'), records],
  takes: reads,
  /** It is so slow that a part of the requests tells as much. */
  share: 1 / 100,
}

/** The same, sorting as it is first written: with `store.get` in the comparison. */
export const storeSort = {
  name: 'b2',
  title: '(b) sorting in the store',
  args: ({ records }) => [path('mock-store.mjs'), records, 'sort-in-store'],
  takes: ({ sorted }) => sorted ?? false,
  share: 1 / 400,
}

export const fixedBody = {
  name: 'c',
  title: '(c) node:http, fixed body',
  args: ({ sizes }) => [path('fixed-body.mjs'), JSON.stringify(sizes)],
  takes: () => true,
  share: 1,
  answersNothing: true,
}

export const rivals = [mercurius, mockStore, storeSort, fixedBody]
