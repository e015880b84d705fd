/**
 * Sends generated requests to its own server, made by schemathesis from the served OpenAPI document, and checks that no
 * answer is a fault, or has a status, media type, header or body that the document lacks. Prints the findings by
 * check; exits 1 when there are any, or fewer cases than wanted.
 *
 * Needs Python 3.10 or newer; installs a pinned schemathesis into a temporary folder.
 *
 * Usage: pnpm fuzz [cases] [seed]
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { registry } from '@specboard/contract'
import { World } from '../apps/cli/test/support/world.ts'
import { serveArguments } from './fuzz/arguments.ts'
import { endStreamsOf } from './fuzz/ended-streams.ts'
import { checks, type Findings, hasPython, Schemathesis, version } from './fuzz/schemathesis.ts'

/** About half of a run's cases are made at random, so many for each operation; the others follow from the document. */
const casesPerOperation = 30

const wanted = Number(process.argv[2] ?? 20_000)
const firstSeed = Number(process.argv[3] ?? Date.now() % 1_000_000)
if (hasPython()) process.exitCode = await fuzz()
else console.log('skipped: no python3 of 3.10 or newer with venv and pip is on the path')

async function fuzz(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'specboard-fuzz-'))
  try {
    console.log(`installing schemathesis ${version} …`)
    const schemathesis = await Schemathesis.in(folder)
    const runs: Findings[] = []
    for (let seed = firstSeed; cases(runs) < wanted; seed++) {
      runs.push(await oneRun(schemathesis, seed))
      if (cases(runs.slice(-1)) === 0) break
    }
    return report(runs, schemathesis.log)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** A run on a server and records of its own. */
async function oneRun(schemathesis: Schemathesis, seed: number): Promise<Findings> {
  console.log(`seed ${seed}`)
  const world = await World.start()
  const given = await serveArguments(world)
  const passage = await endStreamsOf(world.running.url)
  try {
    const { url } = passage
    return await schemathesis.run({ url, key: world.owner.key, argumentsUrl: given.url, casesPerOperation, seed })
  } finally {
    given.close()
    passage.close()
    await world.stop()
  }
}

function cases(runs: readonly Findings[]): number {
  return sum(runs.map(({ test_cases }) => test_cases.generated))
}

/** Prints what the runs found and answers the status to exit with. */
function report(runs: readonly Findings[], log: string): number {
  const tested = Math.min(...runs.map(({ operations }) => operations?.tested ?? 0))
  const failures = runs.flatMap(run => run.failures)
  const errors = runs.flatMap(run => run.errors)
  const whole = runs.every(({ complete }) => complete) && tested === registry.length
  for (const { title, count, operations } of failures) console.log(`${title}: ${count}, by ${operations.join(', ')}`)
  for (const { title, count } of errors) console.log(`${title}: ${count}`)
  console.log(`checks: ${checks.join(', ')}`)
  console.log(
    `cases ${cases(runs)}, operations ${tested} of ${registry.length}, findings ${sum(failures.map(({ count }) => count))}, errors ${sum(errors.map(({ count }) => count))}`,
  )
  if (failures.length === 0 && errors.length === 0 && whole && cases(runs) >= wanted) return 0
  const kept = join(tmpdir(), 'specboard-fuzz.log')
  copyFileSync(log, kept)
  console.log(`the last run at length: ${kept}`)
  return 1
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
