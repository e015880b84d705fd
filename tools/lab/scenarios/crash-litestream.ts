/**
 * Kills a service that is written to, together with the Litestream that copies its log, and restores the copies: the
 * acknowledged writes that they lack are the recovery point. A restore to a moment contains nothing from after it.
 */
import { loseMachine, withoutLitestream } from '../durability/copied-log.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'
import { sum } from '../harness/statistics.ts'

/** The maximum recovery point, ms: acknowledged writes of this time may be lost with a machine. */
const recoveryPointMs = 10_000

export default scenario({
  summary: 'kill -9 of a service and the Litestream beside it: how much a restore of the copies lacks',
  options: { rounds: 10, seconds: 20 },
  word: 'rounds',
  short: { rounds: 1, seconds: 6 },
  lacks: withoutLitestream,
  run: async (lab, { rounds, seconds }) => {
    const bar = progress('crash test', rounds)
    const lacks = []
    for (let round = 0; round < rounds; round++) {
      lacks.push(await loseMachine(lab, `data${round}`, seconds * 1_000 * (0.75 + Math.random() / 2)))
      bar.step()
    }
    bar.end()
    const lostMs = lacks.map(lack => lack.lostMs)
    const worst = Math.max(...lostMs, ...lacks.map(({ lackingMs }) => lackingMs))
    const later = sum(lacks.map(lack => lack.later))
    lab.report.run('pnpm crash --litestream', rounds, [
      `${sum(lacks.map(({ acknowledged }) => acknowledged))} acknowledged, lost ${sum(lacks.map(({ lost }) => lost))}`,
      `the oldest lost one was acknowledged ${Math.round(Math.max(...lostMs))} ms before the kill at worst`,
      `a restore to a moment ended ${Math.round(Math.max(...lacks.map(({ lackingMs }) => lackingMs)))} ms before it at worst, and held ${later} later writes`,
    ])
    lab.report.expect(worst <= recoveryPointMs, `a restore lacked ${Math.round(worst)} ms`)
    lab.report.expect(later === 0, 'a restore to a moment held what was written after it')
  },
})
