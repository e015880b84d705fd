/**
 * Attacks its own server with keys that have few permissions. Checks for each attack the answers, the latency of
 * `/health` meanwhile, and the memory that stays once the garbage is collected. Prints a table; exits 1 when a check
 * fails.
 *
 * Usage: pnpm attack [words of an attack's name]
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attacks } from './attack/attacks.ts'
import { Collector } from './attack/collector.ts'
import { HealthWatch } from './attack/health-watch.ts'
import { targetOn } from './attack/target.ts'
import { residentMiB, startProduct } from './bench/processes.ts'

/** The limits that must hold (trust 1). */
const slowestHealthMs = 250
const slowestWholeBodiesMs = 500
const mostLeftMiB = 64

const wanted = process.argv.slice(2).join(' ')
const folder = mkdtempSync(join(tmpdir(), 'specboard-attack-'))
const collector = await Collector.onFreePort()
const server = await startProduct(folder, { SPECBOARD_LOG_LEVEL: 'fatal', ...collector.environment })
const watch = new HealthWatch(server.url)
let gaveWay = 0
try {
  const target = await targetOn(server.url, server.key!)
  await watch.times()
  row('attack', 'answers', '/health p50', 'slowest', 'left', 'held')
  for (const attack of attacks.filter(({ name }) => name.includes(wanted))) {
    const before = await settledMiB()
    const answers = await attack.run(target)
    const { p50, slowest } = await watch.times()
    const left = (await settledMiB()) - before
    const statuses = Map.groupBy(answers, ({ status }) => status)
    const wrong = [...statuses.keys()].filter(status => !attack.answers.includes(status))
    const limit = attack.sendsWholeBodies ? slowestWholeBodiesMs : slowestHealthMs
    const faults = [
      ...(wrong.length > 0 ? [`answered ${wrong.join(', ')}`] : []),
      ...(slowest > limit ? [`/health took more than ${limit} ms`] : []),
      ...(left > mostLeftMiB ? [`more than ${mostLeftMiB} MiB remained`] : []),
      ...[attack.holds?.(answers)].filter(fault => fault !== undefined),
    ]
    gaveWay += faults.length
    row(
      attack.name,
      [...statuses].map(([status, { length }]) => `${length} x ${status}`).join(', '),
      `${Math.round(p50)} ms`,
      `${Math.round(slowest)} ms`,
      `${left} MiB`,
      faults.length === 0 ? 'yes' : `NO: ${faults.join('; ')}`,
    )
  }
} finally {
  await watch.stop()
  collector.end()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
console.log(gaveWay === 0 ? '\nall attacks withstood' : `\n${gaveWay} checks failed`)
process.exitCode = gaveWay === 0 ? 0 : 1

/** The memory that the server keeps, once it stops falling; measured every second, ten times at most. */
async function settledMiB(): Promise<number> {
  await collector.collect()
  let least = residentMiB(server.child)
  for (let still = 0, asked = 0; still < 3 && asked < 10; asked++) {
    await new Promise(resolve => setTimeout(resolve, 1_000))
    const now = residentMiB(server.child)
    still = now < least ? 0 : still + 1
    least = Math.min(least, now)
  }
  return least
}

function row(name: string, answers: string, p50: string, slowest: string, left: string, held: string): void {
  console.log(
    `${name.padEnd(64)}${answers.padEnd(34)}${p50.padStart(12)}${slowest.padStart(10)}${left.padStart(10)}  ${held}`,
  )
}
