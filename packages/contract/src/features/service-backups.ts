/** The backups that the service makes of itself (exchange 3). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Timestamp } from '../shared.ts'

/** Whether the service can back itself up, or why it cannot. */
export const BackupState = z.enum(['ready', 'unwritable', 'off', 'external'])

export const Backups = z
  .object({
    state: BackupState,
    late: z.boolean().describe('no good one within two intervals'),
    every_hours: z.number().nullable(),
    keep: z.int().min(1).nullable(),
    next_at: Timestamp.nullable(),
    running_since: Timestamp.nullable(),
    last_success_at: Timestamp.nullable(),
    last_success_gone: z.boolean().describe('its file is no longer there'),
    last_failure_at: Timestamp.nullable(),
    last_failure: z.string().nullable(),
    items: z.array(
      z.object({ name: z.string(), created_at: Timestamp, size_bytes: z.int().min(0) }).meta({ id: 'BackupFile' }),
    ),
  })
  .meta({ id: 'Backups' })

const keywords = ['backup', 'restore', 'disaster']

export const get_backups = operation({
  name: 'get_backups',
  method: 'GET',
  path: '/api/v1/settings/backups',
  permission: 'SETTINGS_READ',
  extension: true,
  title: 'Get backups',
  description: "List the service's backups.",
  response: Backups,
  errors: [],
  keywords,
})

export const create_backup = operation({
  name: 'create_backup',
  method: 'POST',
  path: '/api/v1/settings/backups',
  permission: 'SETTINGS_UPDATE',
  extension: true,
  title: 'Create a backup',
  description: 'Back the service up now.',
  response: z.object({ state: BackupState, running: z.boolean() }).meta({ id: 'BackupBegun' }),
  status: 200,
  otherStatus: 202,
  errors: [],
  keywords,
})
