import type { features } from '@specboard/contract'
import { recordAudit } from '../../kernel/audit.ts'
import { ExplicitAnswer, type Implementation, multiStep } from '../../kernel/implement.ts'

type Settings = typeof features.settings

/** get_backups (board 5). */
export const getBackups = multiStep<Settings['get_backups']>((_, steps) => steps.environment.backups.listed())

/**
 * create_backup (board 5): the backup is made in a thread of its own, once the audit log has recorded who started it.
 * No backup starts while another is being made.
 */
export const createBackup: Implementation<Settings['create_backup']> = async (_, ctx) => {
  const { backups } = ctx.environment
  const { state } = backups
  if (state !== 'ready') return { state, running: false }
  if (!backups.isRunning) {
    await recordAudit(ctx, 'backup_begun', { type: 'settings', id: 'backup', name: 'backup' }, [])
    ctx.afterCommit.push(() => backups.makeNow())
  }
  return new ExplicitAnswer({ state, running: true }, { status: 202 })
}
