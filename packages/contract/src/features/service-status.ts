/** The state of the service (board 5). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Timestamp } from '../shared.ts'

const count = z.int().min(0)

export const ServiceStatus = z
  .object({
    version: z.string(),
    started_at: Timestamp,
    degraded: z.array(z.string()).describe('what is wrong'),
    database: z
      .object({
        engine: z.string(),
        size_bytes: count,
        migrations: count,
        ignored_announcements: count,
        replica: z
          .object({ used: z.boolean(), lag_bytes: count.nullable(), problem: z.string().nullable() })
          .meta({ id: 'ReplicaStatus' })
          .nullable(),
      })
      .meta({ id: 'DatabaseStatus' }),
    disk_free_bytes: count,
    backup: z
      .object({
        last_at: Timestamp,
        outcome: z.string(),
        next_at: Timestamp.nullable(),
        last_success_at: Timestamp.nullable(),
        last_failure_at: Timestamp.nullable(),
      })
      .meta({ id: 'BackupStatus' })
      .nullable(),
    graph_queue: z.object({ pending: count, failed: count }).meta({ id: 'GraphQueueStatus' }),
    webhooks: z.object({ active: count, failing: count }).meta({ id: 'WebhookStatus' }),
    ci_issuers: z
      .array(
        z
          .object({ issuer: z.string(), source: z.enum(['file', 'address']), age_s: count })
          .meta({ id: 'CiIssuerStatus' }),
      )
      .describe('whose keys for CI tokens are in use'),
    nodes: z.array(
      z
        .object({
          id: z.string(),
          host: z.string(),
          port: z.int().min(0),
          version: z.string(),
          started_at: Timestamp,
          last_seen_at: Timestamp,
        })
        .meta({ id: 'ServiceNode' }),
    ),
  })
  .meta({ id: 'ServiceStatus' })

export const get_service_status = operation({
  name: 'get_service_status',
  method: 'GET',
  path: '/api/v1/settings/status',
  permission: 'SETTINGS_READ',
  extension: true,
  title: 'Get service status',
  description: 'Get the state of the service: database, disk, queue, what is wrong.',
  response: ServiceStatus,
  errors: [],
  keywords: ['degraded', 'uptime', 'disk', 'backup', 'operations', 'health', 'size'],
})
