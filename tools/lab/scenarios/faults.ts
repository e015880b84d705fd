/**
 * Lets the disk fail under a running server, by means of strace: writes, syncs and opens of the files of its data
 * folder answer EIO while clients write over HTTP and MCP. After each round the server is started without a fault, and
 * must contain everything that was acknowledged, and nothing incomplete.
 */
import { tryDiskErrors } from '../faults/disk-errors.ts'
import { withoutStrace } from '../faults/inject.ts'
import { scenario } from '../harness/scenario.ts'
import { sum } from '../harness/statistics.ts'

export default scenario({
  summary: 'no acknowledged write is lost when writes, syncs and opens fail (strace)',
  options: { rounds: 60 },
  word: 'rounds',
  short: { rounds: 3 },
  lacks: withoutStrace,
  run: async (lab, { rounds }) => {
    const { trial, outcomes } = await tryDiskErrors(lab, rounds)
    const row = lab.report.table('EIO on', 'rounds', 'struck', 'acknowledged', 'refused', 'not started')
    for (const { kind, rounds, struck, acknowledged, refused, notStarted } of outcomes)
      row(kind.name, rounds, struck, acknowledged, refused, notStarted)
    const struck = sum(outcomes.map(({ struck }) => struck))
    const { acknowledged, refused } = trial.ledger
    const figures = [`${struck} struck, ${acknowledged} acknowledged, ${refused} refused`, ...trial.figures]
    lab.report.run('pnpm faults', rounds, figures)
    trial.judge()
    lab.report.expect(struck > 0, 'no fault struck')
  },
})
