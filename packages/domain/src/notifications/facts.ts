import { sql } from 'kysely'
import type { FollowerFacts } from '../kernel/followers/facts.ts'

export const notificationFacts: FollowerFacts = {
  name: 'notifications',
  oldest: sql<string | null>`select min(created_at) from notification_deliveries where status in ('pending', 'held')`,
}
