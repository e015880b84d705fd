/**
 * Traces what a server writes and syncs, and simulates power cuts of its data folder at random moments. Each copy
 * contains what was synced by then and a random part of the rest; it must open undamaged, contain everything
 * acknowledged by then, and report no loss.
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
