/**
 * Kills the server with SIGKILL while clients write over HTTP and MCP, starts it again, and compares its data with what
 * was acknowledged to the clients. One round in twenty kills it during a migration, one during a checkpoint. Fails if
 * an acknowledged write is lost or incomplete (a row without its event or file, an event without its row), if one
 * repeated under its Idempotency-Key gets a different answer or exists twice, if a start takes more than 2 s or reports
 * a loss, or if the database is damaged.
 */
import { setTimeout as pause } from 'node:timers/promises'
import { checkpointBegins, migrationBegins } from '../durability/moments.ts'
import { hasEarlier, putBack } from '../durability/older-database.ts'
import { Trial } from '../durability/trial.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'
import { killed, launchService, type Service } from '../harness/service.ts'
import { percentile } from '../harness/statistics.ts'

/** The maximum duration of a start, ms. */
const slowestStartMs = 2_000

/** The average number of writes before a kill. */
const writesInRound = 230

/** The longest wait for a checkpoint, ms. */
const maxMs = 20_000

/** The length of the clients' texts in these rounds, characters: large enough that the log is soon written back. */
const longDescription = 16_000

/** When the server of a round is killed. */
const momentOf = (round: number) => (({ 9: 'migration', 19: 'checkpoint' }) as const)[round % 20] ?? 'writing'

export default scenario({
  summary: 'kill -9 while clients write, migrate or a log is written back: no acknowledged write is lost',
  options: { rounds: 20 },
  word: 'rounds',
  short: { rounds: 2 },
  run: async (lab, { rounds }) => {
    const trial = new Trial(lab)
    const kills = { writing: 0, migration: 0, checkpoint: 0 }
    const killIn = { writing: killDuringWrites, migration: killDuringMigration, checkpoint: killDuringCheckpoint }
    const bar = progress('crash test', rounds, () => ({
      acknowledged: trial.ledger.acknowledged,
      lost: trial.counts.lost,
    }))
    for (let round = 0; round < rounds; round++) {
      const moment = momentOf(round)
      const killedIn = await killIn[moment](trial, await trial.start())
      if (killedIn !== undefined) kills[killedIn]++
      bar.step()
    }
    await trial.end()
    bar.end()
    const worst = Math.max(...trial.starts)
    const migrating = trial.starts.filter((_, index) => index > 0 && momentOf(index - 1) === 'migration')
    lab.report.run('pnpm crash', rounds, [
      `${trial.ledger.acknowledged} acknowledged`,
      `killed while writing ${kills.writing}, in a migration ${kills.migration}, in a checkpoint ${kills.checkpoint}`,
      ...trial.figures,
      `ready after ${Math.round(percentile(trial.starts, 0.95))} ms (p95), ${Math.round(worst)} ms at worst`,
      `${Math.round(Math.max(0, ...migrating))} ms at worst with the migration done anew`,
    ])
    trial.judge()
    lab.report.expect(worst <= slowestStartMs, `a start took ${Math.round(worst)} ms`)
  },
})

/** The moment that a kill hit; undefined if it came too early or too late. */
type KillMoment = 'writing' | 'migration' | 'checkpoint' | undefined

async function killDuringWrites(trial: Trial, server: Service): Promise<KillMoment> {
  const enough = trial.ledger.acknowledged + writesInRound * (0.5 + Math.random())
  const writing = trial.write(server, Number.POSITIVE_INFINITY)
  while (trial.ledger.acknowledged < enough) await pause(5)
  await pause(Math.random() * 20)
  await server.kill()
  await writing
  return 'writing'
}

/** Lets the log grow until it is written back, and kills the server then. */
async function killDuringCheckpoint(trial: Trial, server: Service): Promise<KillMoment> {
  const moment = checkpointBegins(trial.folder)
  const writing = trial.write(server, Number.POSITIVE_INFINITY, { length: longDescription })
  await Promise.race([moment.reached, pause(maxMs)])
  await server.kill()
  await writing
  moment.end()
  return moment.isReached() ? 'checkpoint' : undefined
}

/** Puts the database back before the newest migration, if it was not the first, and kills a start while it copies or migrates it. */
async function killDuringMigration(trial: Trial, server: Service): Promise<KillMoment> {
  if (!hasEarlier) return killDuringWrites(trial, server)
  await server.stop()
  await putBack(trial.folder)
  const moment = migrationBegins(trial.folder)
  const child = launchService(trial.folder, Trial.settings)
  await Promise.race([moment.reached, pause(maxMs)])
  await pause(Math.random() * 60)
  await killed(child)
  moment.end()
  return moment.isReached() ? 'migration' : undefined
}
