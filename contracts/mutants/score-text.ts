/** What the suite is worth, in words. */
import type { SelfTestReport } from './score.js'
import { deepEqual } from '../../src/shared/deep-equal.js'

/** @param reports by the name of the suite that was put to the test */
export const selfTestText = (reports: Readonly<Record<string, SelfTestReport>>): string =>
  Object.entries(reports)
    .map(([name, report]) => `${name}\n\n${suiteText(report)}`)
    .join('\n')

function suiteText({ mutants, variants, catches, twins, idle, silent, sound }: SelfTestReport): string {
  const missed = mutants.filter(({ expected, actual, errors }) => !deepEqual(expected, actual) || errors.length > 0)
  const alarmed = variants.filter(({ falseAlarms, exitCode }) => falseAlarms.length > 0 || exitCode !== 0)
  const checks = Object.entries(catches)
  const width = Math.max(...checks.map(([id]) => id.length))
  return [
    `Servers with one promise broken: ${mutants.length - missed.length} of ${mutants.length} were caught, by just the checks that should.`,
    ...missed.flatMap(({ id, breaks, expected, actual, errors }) => [
      `  ${id}: ${breaks}`,
      `    should fail  ${expected.join(', ') || 'nothing'}`,
      `    failed       ${actual.join(', ') || 'nothing'}`,
      ...(errors.length > 0 ? [`    broke        ${errors.join(', ')}`] : []),
    ]),
    `Odd but lawful servers: ${variants.length - alarmed.length} of ${variants.length} passed without a false alarm.`,
    ...alarmed.flatMap(({ id, about, falseAlarms, exitCode }) => [
      `  ${id}: ${about} (exit code ${exitCode})`,
      ...falseAlarms.map((it) => `    ${it}`),
    ]),
    '',
    'How many of the broken servers each check catches, and how many of them no other check does:',
    ...checks.map(
      ([id, { alone, together }]) =>
        `  ${id.padEnd(width)}  ${String(alone.length + together.length).padStart(3)}  ${String(alone.length).padStart(3)}`,
    ),
    '',
    ...twins.map(([one, other]) => `${one} and ${other} fail for the same servers: one of them is too many.`),
    ...idle.map((id) => `${id} catches nothing.`),
    ...silent.map((id) => `${id} never has anything to say.`),
    sound ? 'The suite is sound.' : 'The suite is not sound.',
    '',
  ].join('\n')
}
