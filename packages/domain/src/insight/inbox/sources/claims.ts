import { CardStatus } from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { type Stage, stageOf, unclaimableIn } from '../../../delivery/claims/rules.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { hot } from '../../../schema/hot.ts'
import type { ClaimsTable } from '../../../schema/tables.ts'
import type { Found } from '../rules.ts'
import { foundColumns, idsOf, onBoards, type Source, sourcesOf } from '../source.ts'

/** The statuses of a card that is still in the stage of a claim. */
const statusesOf = (stage: Stage) =>
  sql.join(
    CardStatus.options.filter(status => unclaimableIn(status) === null && stageOf(status) === stage).map(sql.lit),
  )

const expired = hot<{ boards: string; now: string }, Found>(
  (_, param) =>
    sql<Found>`select ${foundColumns('k', { source: 'k.card_id', record: 'k.card_id', since: sql`k.expires_at` })}
      from claims k join cards c on c.id = k.card_id
      where ${onBoards('k', param('boards'))} and k.expires_at <= ${param('now')} and c.archived = 0
        and (k.stage = 'work' and c.status in (${statusesOf('work')})
          or k.stage = 'validation' and c.status in (${statusesOf('validation')}))`,
)

const nextEnd = hot<{ boards: string; now: string }, { at: string | null }>(
  (_, param) =>
    sql<{ at: string | null }>`select min(k.expires_at) as at from claims k
      where ${onBoards('k', param('boards'))} and k.expires_at > ${param('now')}`,
)

const byCards = hot<{ ids: string }, ClaimsTable>((db, param) =>
  db
    .selectFrom('claims')
    .selectAll()
    .where(eb => dialect.inList(eb.ref('card_id'), param('ids'))),
)

/** Claims that ran out while their card was still in their stage (work 3). */
export const expiredClaims: Source = {
  kind: 'claim_expired',
  about: 'card',
  isOpen: access =>
    access.allows('CARDS_READ') &&
    access.allows('CARDS_MOVE_IN_PROGRESS') &&
    mayCall(access, { operation: 'claim_card' }),
  find: (ctx, boards) => expired(ctx.db, { boards: idsOf(boards), now: ctx.now() }),
  nextAt: async (ctx, boards) => (await nextEnd(ctx.db, { boards: idsOf(boards), now: ctx.now() }))[0]?.at ?? null,
  show: async (ctx, page) => {
    const rows = await byCards(ctx.db, { ids: sourcesOf(page) })
    return new Map(
      rows.map(({ card_id, agent_id, stage, note, claimed_at, expires_at }) => [
        card_id,
        {
          actor_id: agent_id,
          data: { stage, note, claimed_at, expires_at },
          operation: 'claim_card',
          arguments: { card_id },
        },
      ]),
    )
  },
}
