import { type DatabasePlace, failingWebhooks, readWithoutLock } from '@specboard/domain'
import type { Finding } from './finding.ts'

/** How many webhooks are named. */
const named = 20

/** Names the webhooks that fail, by host, with what their receivers answer (work 6). */
export async function webhookFindings(place: DatabasePlace): Promise<Finding[]> {
  // What cannot be read, or is of another version, is told elsewhere.
  const failing = await readWithoutLock(place, db => failingWebhooks(db, named)).catch(() => [])
  return failing.map(({ id, board_id, host, failing_since, response_status: status }) => ({
    name: 'webhook',
    ok: false,
    says: `${id} of the board ${board_id}, to ${host}, fails since ${failing_since} (${status === null ? 'no answer' : `answered ${status}`}); list_webhook_deliveries has the answers`,
  }))
}
