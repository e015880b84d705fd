import { features, type RuntimeSettingKey } from '@specboard/contract'
import { recordAudit } from '../audit.ts'
import type { Context } from '../context.ts'
import { blocked } from '../errors.ts'
import { type Implementation, implement } from '../implement.ts'

type Settings = typeof features.settings

const effective = (
  { environment: { settings } }: Context,
  changed: Readonly<Partial<Record<RuntimeSettingKey, number>>> = {},
) => ({
  ...settings.values,
  ...changed,
  restart_required: false as const,
  pinned: [...settings.pinned],
})

const getRuntimeSettings: Implementation<Settings['get_runtime_settings']> = async (_, ctx) => effective(ctx)

const putRuntimeSettings: Implementation<Settings['put_runtime_settings']> = async ({ body }, ctx) => {
  const { settings } = ctx.environment
  const supplied = Object.entries(body).filter((entry): entry is [RuntimeSettingKey, number] => entry[1] !== null)
  const changed = Object.fromEntries(supplied.filter(([key, value]) => settings.values[key] !== value))
  const keys = settings.pinned.filter(key => key in changed)
  if (keys.length > 0) {
    throw blocked('SETTING_PINNED', `The environment fixes ${keys.join(', ')}; change it there and restart.`, { keys })
  }
  const updated_at = ctx.now()
  for (const [key, value] of supplied) {
    await ctx.db
      .insertInto('runtime_settings')
      .values({ key, value, updated_at })
      .onConflict(conflict => conflict.column('key').doUpdateSet({ value, updated_at }))
      .execute()
  }
  if (Object.keys(changed).length > 0) {
    await recordAudit(ctx, 'runtime_settings_updated', 'runtime', Object.keys(changed))
    ctx.afterCommit.push(() => settings.apply(changed))
  }
  return effective(ctx, changed)
}

export const settingsOperations = implement(features.settings, {
  get_runtime_settings: getRuntimeSettings,
  put_runtime_settings: putRuntimeSettings,
})
