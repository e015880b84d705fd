import { features, type RuntimeSettingKey, type RuntimeSettingValues } from '@specboard/contract'
import { recordAudit } from '../../kernel/audit.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { createBackup, getBackups } from './backups.ts'
import { getServiceStatus } from './status.ts'

type Settings = typeof features.settings

const answered = ({ environment: { settings } }: Context, values: RuntimeSettingValues) => ({
  ...values,
  restart_required: false as const,
  pinned: [...settings.pinned],
})

const getRuntimeSettings: Implementation<Settings['get_runtime_settings']> = async (_, ctx) =>
  answered(ctx, ctx.environment.settings.values)

const putRuntimeSettings: Implementation<Settings['put_runtime_settings']> = async ({ body }, ctx) => {
  const { settings } = ctx.environment
  // Compares with the stored values: those of another PUT in the same group are not in effect yet.
  const { values: before } = await settings.read(ctx.db)
  const changed = Object.entries(body).filter(
    (entry): entry is [RuntimeSettingKey, number] =>
      entry[1] !== null && entry[1] !== before[entry[0] as RuntimeSettingKey],
  )
  const keys = settings.pinned.filter(key => changed.some(([name]) => name === key))
  if (keys.length > 0) {
    throw blocked('SETTING_PINNED', `Environment variables pin ${keys.join(', ')}; change them and restart.`, { keys })
  }
  if (changed.length === 0) return answered(ctx, before)
  const updated_at = ctx.now()
  for (const [key, value] of changed) {
    await ctx.db
      .insertInto('runtime_settings')
      .values({ key, value, updated_at })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ value, updated_at }))
      .execute()
  }
  const fields = changed.map(([key]) => key)
  await recordAudit(ctx, 'settings_updated', { type: 'settings', id: 'runtime', name: 'runtime' }, fields)
  const { values } = await settings.read(ctx.db)
  ctx.afterCommit.push(() => settings.apply(values))
  return answered(ctx, values)
}

export const settingsOperations = implement(features.settings, {
  get_runtime_settings: getRuntimeSettings,
  put_runtime_settings: putRuntimeSettings,
  get_service_status: getServiceStatus,
  get_backups: getBackups,
  create_backup: createBackup,
})
