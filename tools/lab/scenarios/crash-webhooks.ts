/**
 * Kills the server while it sends 1,000 events to a webhook, and starts it again: each event must arrive at least once,
 * in order, and none may be skipped.
 */
import { killWhileSending } from '../durability/webhook-kills.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'

export default scenario({
  summary: 'kill -9 while 1,000 events are sent to a webhook: each arrives at least once, in order',
  options: { rounds: 20, events: 1_000 },
  word: 'rounds',
  short: { rounds: 2, events: 60 },
  run: async (lab, { rounds, events }) => {
    const bar = progress('crash test', rounds)
    const outcome = await killWhileSending(lab, { events, kills: rounds }, () => bar.step())
    bar.end()
    const { lost, disordered, repeatedLate, wrong } = outcome
    lab.report.run('pnpm crash --webhooks', rounds, [
      `${outcome.events} events, ${outcome.messages} messages, killed while events waited ${outcome.kills}`,
      `lost ${lost}, out of order ${disordered}, repeated late ${repeatedLate}, wrong ${wrong}`,
    ])
    lab.report.expect(lost + disordered + repeatedLate + wrong === 0, 'the messages are not those of the log')
    lab.report.expect(outcome.kills > 0, 'no kill came while events waited')
  },
})
