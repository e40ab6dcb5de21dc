/** `npm run mutants`: prints the mutation score of the checks and exits with 1 if a mutant survives or a variant alarms. */
import { scoreReading } from './read-run.js'
import { isPerfect, scoreText } from './score.js'
import { scoreWriting } from './write-run.js'

const scores = { Reading: await scoreReading(), Writing: await scoreWriting() }
for (const [name, score] of Object.entries(scores)) process.stdout.write(scoreText(name, score))
process.exitCode = Object.values(scores).every(isPerfect) ? 0 : 1
