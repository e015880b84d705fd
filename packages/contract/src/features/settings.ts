/** Runtime settings of the service (access 12). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { create_backup, get_backups } from './service-backups.ts'
import { get_service_status } from './service-status.ts'

/** Every runtime setting with its default and range; all are integers and hot. */
export const runtimeSettings = {
  page_cache_mb: { default: 64, min: 4, max: 1024 },
  kg_queue_max_concurrent_workers: { default: 4, min: 1, max: 16 },
  kg_queue_min_interval_ms: { default: 100, min: 0, max: 1000 },
  kg_queue_claim_timeout_s: { default: 300, min: 60, max: 3600 },
  kg_queue_max_attempts: { default: 5, min: 1, max: 10 },
  kg_queue_alert_threshold: { default: 5000, min: 100, max: 100_000 },
  kg_decay_tick_interval_minutes: { default: 1440, min: 5, max: 10_080 },
  kg_decay_tick_staleness_days: { default: 7, min: 1, max: 365 },
  kg_decay_tick_max_age_days: { default: 0, min: 0, max: 365 },
} as const

/** The key of a runtime setting. */
export type RuntimeSettingKey = keyof typeof runtimeSettings

/** The values in effect. */
export type RuntimeSettingValues = Readonly<Record<RuntimeSettingKey, number>>

const keys = Object.keys(runtimeSettings) as RuntimeSettingKey[]

const shapeOf = <Schema extends z.ZodType>(schema: (key: RuntimeSettingKey) => Schema) =>
  Object.fromEntries(keys.map(key => [key, schema(key)])) as Record<RuntimeSettingKey, Schema>

export const RuntimeSettings = z
  .object({ ...shapeOf(() => z.int()), restart_required: z.literal(false), pinned: z.array(z.string()) })
  .meta({ id: 'RuntimeSettings' })

export const RuntimeSettingsUpdate = z
  .object(
    shapeOf(key => {
      const { min, max } = runtimeSettings[key]
      return z.int().min(min).max(max).nullable().exactOptional().describe(`${min}-${max}`)
    }),
  )
  .meta({ id: 'RuntimeSettingsUpdate' })

const keywords = ['configuration', 'options']

const get_runtime_settings = operation({
  name: 'get_runtime_settings',
  method: 'GET',
  path: '/api/v1/settings/runtime',
  permission: 'SETTINGS_READ',
  title: 'Get runtime settings',
  description: 'Get the service settings in effect.',
  response: RuntimeSettings,
  errors: [],
  keywords,
})

const put_runtime_settings = operation({
  name: 'put_runtime_settings',
  method: 'PUT',
  path: '/api/v1/settings/runtime',
  permission: 'SETTINGS_UPDATE',
  title: 'Set runtime settings',
  description: 'Set service settings.',
  body: RuntimeSettingsUpdate,
  response: RuntimeSettings,
  errors: ['SETTING_PINNED'],
  keywords,
})

export const settings = {
  get_runtime_settings,
  put_runtime_settings,
  get_service_status,
  get_backups,
  create_backup,
} as const
