/**
 * Kills backups of a service that is written to, and restores, with SIGKILL at moments spread over them: no incomplete
 * backup may have the final name, and a data folder must contain the old state or the new one.
 */
import { killWhileSaving } from '../durability/backup-kills.ts'
import { progress } from '../harness/progress.ts'
import { scenario } from '../harness/scenario.ts'

export default scenario({
  summary: 'kill -9 in backups and restores: never half a thing',
  options: { kills: 20 },
  word: 'kills',
  short: { kills: 2 },
  run: async (lab, { kills }) => {
    const bar = progress('crash test', 2 * kills)
    const outcome = await killWhileSaving(lab, kills, () => bar.step())
    bar.end()
    const { backupKills, restoreKills, halfBackups, halfRestores, leftovers } = outcome
    const figures = [
      `killed in a backup ${backupKills}, in a restore ${restoreKills}`,
      `half backups ${halfBackups}, half restores ${halfRestores}, files left ${leftovers}`,
    ]
    lab.report.run('pnpm crash --backup', 2 * kills, figures, kills)
    lab.report.expect(halfBackups + halfRestores + leftovers === 0, 'half a thing was left')
    lab.report.expect(backupKills > 0 && restoreKills > 0, 'no kill came in a backup, or none in a restore')
  },
})
