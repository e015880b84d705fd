import { sql } from 'kysely'
import type { FollowerFacts } from '../../../kernel/followers/facts.ts'

export const forgeFacts: FollowerFacts = {
  name: 'forges',
  oldest: sql<string | null>`select min(received_at) from forge_deliveries where status = 'queued'`,
}
