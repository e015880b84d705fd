import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Context } from '../../../kernel/context.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import type { WebhooksTable } from '../../../schema/tables.ts'
import { failingAfterMs, type WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'

/**
 * The condition for webhooks `w` that fail, even if that has disabled them; not for those that somebody switched off.
 */
const fails: RawBuilder<SqlBool> = sql<SqlBool>`(w.failing_since is not null
  and (w.active = 1 or w.disabled_reason is not null))`

/** The time before which a webhook must have begun to fail to count as failing for long. */
const failingBefore = ({ environment }: Context): string => new Date(environment.clock() - failingAfterMs).toISOString()

const failing = hot<{ boards: string; before: string }, WaitingItem>(
  (_, param) =>
    sql<WaitingItem>`select ${foundColumns('w', { source: 'w.id', record: 'w.id', since: sql`w.failing_since` })}
      from webhooks w where ${onBoards('w', param('boards'))} and ${fails} and w.failing_since < ${param('before')}`,
)

const firstFailing = hot<{ boards: string; before: string }, { at: string | null }>(
  (_, param) =>
    sql<{ at: string | null }>`select min(w.failing_since) as at from webhooks w
      where ${onBoards('w', param('boards'))} and ${fails} and w.failing_since >= ${param('before')}`,
)

type ShownWebhook = Pick<WebhooksTable, 'id' | 'created_by' | 'last_success_at' | 'last_failure_at' | 'disabled_reason'>

const byIds = hot<Selection, ShownWebhook>((db, param) =>
  db
    .selectFrom('webhooks')
    .select(['id', 'created_by', 'last_success_at', 'last_failure_at', 'disabled_reason'])
    .where(isAsked('webhooks', param)),
)

/** Webhooks that have failed for over an hour (work 6). */
export const failingWebhooks: Source = {
  kind: 'webhook_failing',
  about: 'webhook',
  isOpen: access => mayCall(access, { operation: 'list_webhook_deliveries' }),
  find: (ctx, boards) => failing(ctx.db, { boards: idsOf(boards), before: failingBefore(ctx) }),
  nextAt: async (ctx, boards) => {
    const [first] = await firstFailing(ctx.db, { boards: idsOf(boards), before: failingBefore(ctx) })
    const at = first?.at ?? null
    return at === null ? null : new Date(Date.parse(at) + failingAfterMs + 1).toISOString()
  },
  show: async (ctx, page) => {
    const rows = await byIds(ctx.db, sourcesOf(page))
    return new Map(
      rows.map(({ id, created_by, ...data }) => [
        id,
        { actor_id: created_by, data, operation: 'list_webhook_deliveries', arguments: { webhook_id: id } },
      ]),
    )
  },
}
