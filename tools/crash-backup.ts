/**
 * Kills backups and restores with SIGKILL at moments spread over them. Prints what they left; the last line is a row of
 * the table in `docs/reliability.md`.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { killWhileSaving } from './crash-backup/kills.ts'
import { progress } from './progress.ts'
import { tableRow } from './table-row.ts'

/** Runs the test and prints its figures; returns 1 when half a thing was left anywhere. */
export async function crashBackup(kills: number): Promise<number> {
  const root = mkdtempSync(join(tmpdir(), 'specboard-crash-'))
  const bar = progress('crash test', 2 * kills)
  try {
    const outcome = await killWhileSaving(root, kills, () => bar.step())
    bar.end()
    const { backupKills, restoreKills, halfBackups, halfRestores, left } = outcome
    const figures =
      `killed in a backup ${backupKills}, in a restore ${restoreKills}; ` +
      `half backups ${halfBackups}, half restores ${halfRestores}, files left ${left}`
    console.log(figures)
    console.log(tableRow(`pnpm crash --backup ${kills}`, String(2 * kills), figures))
    return halfBackups + halfRestores + left > 0 || backupKills === 0 || restoreKills === 0 ? 1 : 0
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}
