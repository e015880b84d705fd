import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'

/** An active webhook that fails: without its address, which may hold secrets. */
export interface FailingWebhook {
  readonly id: string
  readonly board_id: string
  readonly host: string
  readonly failing_since: string
  /** The status of the answer to the newest attempt; null if there was no answer. */
  readonly response_status: number | null
}

/**
 * The active webhooks that fail, those that have failed the longest first.
 * @param max how many of them are reported
 */
export async function failingWebhooks(db: Db, max: number): Promise<FailingWebhook[]> {
  const { rows } = await sql<Omit<FailingWebhook, 'host'> & { url: string }>`
    select w.id, w.board_id, w.url, w.failing_since,
      (select d.response_status from webhook_deliveries d where d.webhook_id = w.id and d.attempts > 0
        order by d.created_at desc, d.id desc limit 1) as response_status
    from webhooks w where w.active = 1 and w.failing_since is not null
    order by w.failing_since, w.id limit ${max}`.execute(db)
  return rows.map(({ url, ...webhook }) => ({ ...webhook, host: new URL(url).host }))
}
