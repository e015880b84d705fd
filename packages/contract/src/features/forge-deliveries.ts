/** Events sent by the forge of a repository (git 2). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { Id, paging50, Timestamp } from '../shared.ts'

export const ForgeDeliveryStatus = z.enum(['queued', 'done', 'ignored', 'failed'])

const Count = z.int().min(0)

export const ForgeDelivery = z
  .object({
    id: Id,
    delivery_id: z.string().describe('as the forge names it'),
    event: z.string(),
    action: z.string().nullable(),
    status: ForgeDeliveryStatus,
    reason: z.string().nullable(),
    received_at: Timestamp,
    processed_at: Timestamp.nullable(),
    attempts: Count,
    repeats: Count,
    size: Count,
    changes: Count,
    links: Count,
  })
  .meta({ id: 'ForgeDelivery' })

const onRepository = { repository_id: Id }
const keywords = ['git', 'forge', 'github', 'gitlab', 'webhook', 'event']

export const list_forge_deliveries = operation({
  name: 'list_forge_deliveries',
  method: 'GET',
  path: '/api/v1/repositories/{repository_id}/deliveries',
  permission: 'REPOSITORIES_MANAGE',
  extension: true,
  title: 'List forge deliveries',
  description: 'List events that the forge of a repository sent in 30 days, newest first.',
  params: onRepository,
  query: { status: ForgeDeliveryStatus.optional(), event: z.string().max(100).optional(), ...paging50 },
  list: ForgeDelivery,
  errors: [],
  keywords: [...keywords, 'received', 'failed'],
})

export const retry_forge_delivery = operation({
  name: 'retry_forge_delivery',
  method: 'POST',
  path: '/api/v1/repositories/{repository_id}/deliveries/{delivery_id}/retry',
  permission: 'REPOSITORIES_MANAGE',
  extension: true,
  title: 'Retry forge delivery',
  description: 'Read a failed event of a forge once more.',
  params: { ...onRepository, delivery_id: Id },
  response: ForgeDelivery,
  status: 202,
  errors: ['INVALID_STATE'],
  keywords: [...keywords, 'again', 'failed'],
})
