import { test } from 'vitest'
import { expectCleanAfterKill, type Moment } from './kill.testkit.js'

test.concurrent.each<[number, Moment]>([
  [2, 'after the response'],
  [23, 'before the response'],
])('A run killed at mutation %i, %s, can be cleaned up by its ledger', (n, moment) => expectCleanAfterKill(n, moment))
