/**
 * Kills the server after it has sent mails and before it has recorded that, and starts it again: each notification must
 * arrive at least once, and a repeat must carry the same identity.
 */
import { killWhileNotifying } from '../durability/notification-kills.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'

export default scenario({
  summary: 'kill -9 between notifications sent and noted: none is lost, a repeat has the same identity',
  options: { rounds: 20, persons: 12 },
  word: 'rounds',
  short: { rounds: 2, persons: 4 },
  run: async (lab, { rounds, persons }) => {
    const bar = progress('crash test', rounds)
    const outcome = await killWhileNotifying(lab, { persons, kills: rounds }, () => bar.step())
    bar.end()
    const { notifications, mails, unnoted, lost, repeated, wrong } = outcome
    lab.report.run('pnpm crash --people', rounds, [
      `${notifications} notifications, ${mails} mails, of which ${unnoted} were sent and not noted at a kill`,
      `lost ${lost}, repeated ${repeated}, with another identity ${wrong}`,
    ])
    lab.report.expect(lost + wrong === 0, 'a notification was lost, or came again as another')
    lab.report.expect(unnoted > 0 && repeated > 0, 'no kill came between what was sent and its note')
  },
})
