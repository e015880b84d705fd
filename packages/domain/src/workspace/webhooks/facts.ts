import { sql } from 'kysely'
import type { FollowerFacts } from '../../kernel/followers/facts.ts'
import { failingWebhooks } from './failing.ts'

/** Maximum number of failing webhooks that are named. */
const named = 20

export const webhookFacts: FollowerFacts = {
  name: 'webhooks',
  oldest: sql<string | null>`select min(created_at) from webhook_deliveries where status = 'pending' and asked = 0`,
  backlog: {
    metric: 'webhooks_failing',
    help: 'Active webhooks that fail.',
    count: sql<number>`select count(*) from webhooks where active = 1 and failing_since is not null`,
    problem: count => (count > 0 ? `${count} ${count === 1 ? 'webhook is' : 'webhooks are'} failing` : undefined),
  },
  checks: [
    {
      name: 'webhook',
      stake: 'setup',
      /** Names the webhooks that fail, by host, with what their receivers answer (work 6). */
      look: async db =>
        (await failingWebhooks(db, named)).map(({ id, board_id, host, failing_since, response_status: status }) => ({
          ok: false,
          says: `${id} of the board ${board_id}, to ${host}, failing since ${failing_since} (${status === null ? 'no answer' : `answered ${status}`}); list_webhook_deliveries shows the answers`,
        })),
    },
  ],
}
