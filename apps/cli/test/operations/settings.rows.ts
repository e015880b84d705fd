import type { Rows } from './row.ts'

export const settings: Rows<'settings'> = {
  get_runtime_settings: { args: () => ({}) },
  get_service_status: { args: () => ({}) },
  get_backups: { args: () => ({}) },
  create_backup: { args: () => ({}) },
  put_runtime_settings: { args: () => ({ kg_queue_max_attempts: 4 }) },
}
