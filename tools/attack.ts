/**
 * Attacks its own server with keys that have few permissions and without one. Prints for each attack and sender the
 * answers, the processor time of the service, the latency of `/health` meanwhile, and the memory that stays; exits 1
 * when something did not hold that is promised. The short form leaves out what takes long, measures no memory, and fails for answers and
 * a service that no longer works alone, because times depend on what else the machine does.
 *
 * Usage: pnpm attack [words of an attack's name] [--short] [--engine=postgres]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { attacks } from './attack/cases.ts'
import { Collector } from './attack/collector.ts'
import { Figures } from './attack/figures.ts'
import { print, titles } from './attack/rows.ts'
import { runAttack } from './attack/run-attack.ts'
import type { Sender } from './attack/target.ts'
import { targetOn } from './attack/target.ts'
import { positionalsOf } from './bench/options.ts'
import { startProduct } from './bench/processes.ts'
import { databasesOf } from './databases.ts'

/** The most memory that an attack may leave, MiB (trust 1). */
const mostLeftMiB = 64

const isShort = process.argv.includes('--short')
const wanted = positionalsOf(process.argv).join(' ')
await using databases = await databasesOf(process.argv)
const chosen = attacks.filter(
  ({ name, engine = databases.engine, isLong }) =>
    name.includes(wanted) && engine === databases.engine && !(isShort && isLong),
)
const root = mkdtempSync(join(tmpdir(), 'specboard-attack-'))
const folder = join(root, 'data')
mkdirSync(folder, { mode: 0o700 })
const collector = isShort ? undefined : await Collector.onFreePort()
const database = await databases.make()
const server = await startProduct(folder, {
  SPECBOARD_LOG_LEVEL: 'fatal',
  SPECBOARD_WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
  ...database.environment,
  ...collector?.environment,
})
const figures = new Figures(server)
let gaveWay = 0
try {
  const target = await targetOn({ url: server.url, root, ownerKey: server.key!, databaseUrl: database.url })
  await figures.rest()
  print(titles)
  let settled = collector && (await figures.settledMiB(collector))
  for (const attack of chosen)
    for (const by of Object.keys(attack.answers) as Sender[]) {
      const before = settled
      const result = await runAttack(attack, by, { target, figures, server, isShort })
      settled = collector && (await figures.settledMiB(collector))
      const left = before === undefined || settled === undefined ? undefined : settled - before
      const faults = [
        ...result.faults,
        ...(left !== undefined && left > mostLeftMiB ? [`more than ${mostLeftMiB} MiB remained`] : []),
      ]
      gaveWay += faults.length
      print({
        ...result.row,
        left: left === undefined ? '' : `${left} MiB`,
        held: faults.length === 0 ? 'yes' : `NO: ${faults.join('; ')}`,
      })
    }
} finally {
  await figures.stop()
  collector?.end()
  await server.stop()
  rmSync(root, { recursive: true, force: true })
}
console.log(gaveWay === 0 ? `\nall ${chosen.length} attacks withstood` : `\n${gaveWay} checks failed`)
process.exitCode = gaveWay === 0 ? 0 : 1
