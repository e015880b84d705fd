/**
 * Traces what a server writes and syncs, and cuts its data folder at drawn moments: each copy holds what was synced by
 * then and a drawn part of the rest, opens, is undamaged, holds all that was acknowledged by then, and tells of no loss.
 */
import { withoutStrace } from '../faults/inject.ts'
import { tryPowerCuts } from '../faults/power-cuts.ts'
import { scenario } from '../harness/scenario.ts'

export default scenario({
  summary: 'no acknowledged write is lost when the power fails, at drawn moments of a traced server (strace)',
  options: { copies: 200, writes: 2_500 },
  word: 'copies',
  short: { copies: 5, writes: 200 },
  lacks: withoutStrace,
  run: async (lab, { copies, writes }) => {
    const { figures, failures } = await tryPowerCuts(lab, copies, writes)
    lab.report.run('pnpm faults --power', copies, figures)
    for (const failure of failures) lab.report.expect(false, failure)
  },
})
