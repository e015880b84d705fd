/**
 * Sends generated requests to its own server, made by schemathesis from the served OpenAPI document, and checks that no
 * answer is a fault, or has a status, media type, header or body that the document lacks. Prints the findings by
 * check; fails when there are any, or fewer cases than wanted.
 *
 * Needs Python 3.10 or newer; installs a pinned schemathesis into a temporary folder.
 */
import { copyFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '@specboard/contract'
import { graphAtWork, World } from '../../../apps/cli/test/support/world.ts'
import { serveArguments } from '../fuzz/arguments.ts'
import { endStreamsOf } from '../fuzz/ended-streams.ts'
import { checks, type Findings, hasPython, Schemathesis, version } from '../fuzz/schemathesis.ts'
import { scenario } from '../harness/scenario.ts'
import { sum } from '../harness/statistics.ts'

export default scenario({
  summary: 'no generated request ends in a fault or in an answer that the OpenAPI document lacks (schemathesis)',
  // About half of a run's cases are made at random, `each` of them for every operation; the others follow from the
  // document.
  options: { cases: 20_000, seed: Date.now() % 1_000_000, each: 30 },
  word: 'cases',
  short: { cases: 500, each: 1 },
  lacks: () => (hasPython() ? undefined : 'no python3 of 3.10 or newer with venv and pip is on the path'),
  run: async (lab, { cases: target, seed: first, each }) => {
    lab.report.say(`installing schemathesis ${version} …`)
    const schemathesis = await Schemathesis.in(lab.root)
    const runs: Findings[] = []
    for (let seed = first; cases(runs) < target; seed++) {
      lab.report.say(`seed ${seed}`)
      runs.push(await oneRun(schemathesis, seed, each))
      if (cases(runs.slice(-1)) === 0) break
    }
    const tested = Math.min(...runs.map(({ operations }) => operations?.tested ?? 0))
    const failures = runs.flatMap(run => run.failures)
    const errors = runs.flatMap(run => run.errors)
    for (const { title, count, operations } of failures)
      lab.report.say(`${title}: ${count}, by ${operations.join(', ')}`)
    for (const { title, count } of errors) lab.report.say(`${title}: ${count}`)
    lab.report.say(`checks: ${checks.join(', ')}`)
    lab.report.figure('fuzz', {
      cases: cases(runs),
      operations: `${tested} of ${registry.length}`,
      findings: sum(failures.map(({ count }) => count)),
      errors: sum(errors.map(({ count }) => count)),
    })
    lab.report.expect(failures.length === 0 && errors.length === 0, 'there are findings')
    lab.report.expect(runs.every(({ complete }) => complete) && tested === registry.length, 'operations were left out')
    lab.report.expect(cases(runs) >= target, 'there were fewer cases')
    if (lab.report.broken.length === 0) return
    const logCopy = join(tmpdir(), 'specboard-fuzz.log')
    copyFileSync(schemathesis.log, logCopy)
    lab.report.say(`the last run at length: ${logCopy}`)
  },
})

/** A run on a separate server with its own records. */
async function oneRun(schemathesis: Schemathesis, seed: number, casesPerOperation: number): Promise<Findings> {
  const world = await World.start(graphAtWork)
  const argumentServer = await serveArguments(world)
  const passage = await endStreamsOf(world.running.url)
  try {
    const { url } = passage
    return await schemathesis.run({
      url,
      key: world.owner.key,
      argumentsUrl: argumentServer.url,
      casesPerOperation,
      seed,
    })
  } finally {
    argumentServer.close()
    passage.close()
    await world.stop()
  }
}

const cases = (runs: readonly Findings[]): number => sum(runs.map(({ test_cases }) => test_cases.generated))
