/** Liveness (access 13, trust 5). */
import { z } from 'zod'
import { operation } from '../operation.ts'

export const Health = z
  .object({
    status: z.enum(['healthy', 'degraded', 'unhealthy']),
    version: z.string(),
    problems: z.array(z.string()).exactOptional().describe('what is wrong with the storage; only when something is'),
  })
  .meta({ id: 'Health' })

const get_health = operation({
  name: 'get_health',
  method: 'GET',
  path: '/health',
  permission: 'public',
  title: 'Get health',
  description: 'Show whether the service answers, and its version.',
  response: Health,
  otherStatus: 503,
  errors: [],
  keywords: ['alive', 'status', 'version', 'ping'],
})

export const health = { get_health } as const
