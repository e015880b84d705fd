import type { OperationName, Permission } from '@specboard/contract'
import { sql } from 'kysely'
import type { NewsKind } from '../../../kernel/news.ts'
import { mayCall } from '../../../kernel/service/may-call.ts'
import { parseJson } from '../../../lib/json.ts'
import { hot } from '../../../schema/hot.ts'
import { sameBoard } from '../../../schema/same-board.ts'
import type { ClaimsTable, NewsTable } from '../../../schema/tables.ts'
import type { WaitingItem } from '../rules.ts'
import { foundColumns, idsOf, isAsked, onBoards, type Selection, type Source, sourcesOf } from '../source.ts'

/** The kinds that are reported once: they disappear when the agent reads the record, or dismisses them. */
export const newsKinds = ['answer', 'claim_lost', 'card_changed', 'notice'] as const satisfies readonly NewsKind[]

interface NewsSource {
  readonly kind: NewsKind
  readonly about: Source['about']
  readonly read: Permission
  readonly operation: OperationName
  readonly arguments: (row: NewsTable) => Readonly<Record<string, unknown>>
}

const answersOn = (about: 'ideation' | 'refinement' | 'spec' | 'card', read: Permission): NewsSource => ({
  kind: 'answer',
  about,
  read,
  operation: `get_${about}`,
  arguments: ({ entity_id }) => ({ [`${about}_id`]: entity_id }),
})

const newsSources: readonly NewsSource[] = [
  answersOn('ideation', 'IDEATIONS_READ'),
  answersOn('refinement', 'REFINEMENTS_READ'),
  answersOn('spec', 'SPECS_READ'),
  answersOn('card', 'CARDS_READ'),
  {
    kind: 'claim_lost',
    about: 'card',
    read: 'CARDS_READ',
    operation: 'list_card_activity',
    arguments: ({ entity_id }) => ({ card_id: entity_id }),
  },
  {
    kind: 'card_changed',
    about: 'card',
    read: 'CARDS_READ',
    operation: 'diff_record',
    arguments: row => {
      const { of } = parseJson(row.data) as { readonly of: { entity_type: string; entity_id: string; rev: number } }
      return { entity_type: of.entity_type, entity_id: of.entity_id, from: `r${Math.max(1, of.rev - 1)}` }
    },
  },
  {
    kind: 'notice',
    about: 'board',
    read: 'BOARDS_READ',
    operation: 'update_board',
    arguments: ({ entity_id }) => ({ board_id: entity_id, settings: { auto_move: true, max_attempts: 3 } }),
  },
]

const newsOf = ({ kind, about }: NewsSource) =>
  hot<{ boards: string; agent: string }, WaitingItem>(
    (_, param) =>
      sql<WaitingItem>`select ${foundColumns('n', { source: 'n.source', record: 'n.entity_id', since: sql`n.since` })}
        from news n where n.agent_id = ${param('agent')} and n.kind = ${sql.lit(kind)}
          and n.entity_type = ${sql.lit(about)} and ${onBoards('n', param('boards'))}`,
  )

const rowsOf = hot<Selection & { agent: string; kind: string }, NewsTable>((db, param) =>
  db
    .selectFrom('news')
    .selectAll()
    .where('agent_id', '=', param('agent'))
    .where('kind', '=', param('kind'))
    .where(isAsked('news', param, 'source')),
)

function newsSource(one: NewsSource): Source {
  const { kind, about, read, operation } = one
  const find = newsOf(one)
  return {
    kind,
    about,
    isOpen: access => access.allows(read) && mayCall(access, { operation }),
    find: (ctx, boards) => find(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id }),
    show: async (ctx, page) => {
      const rows = await rowsOf(ctx.db, { agent: ctx.caller.id, kind, ...sourcesOf(page) })
      return new Map(
        rows.map(row => [
          row.source,
          {
            actor_id: row.actor_id,
            actor_name: row.actor_name,
            data: parseJson(row.data),
            operation,
            arguments: one.arguments(row),
            ...(row.record !== null && { record: parseJson(row.record) }),
          },
        ]),
      )
    },
  }
}

const lapsed = hot<{ boards: string; agent: string; now: string }, WaitingItem>(
  (_, param) =>
    sql<WaitingItem>`select ${foundColumns('k', { source: 'k.card_id', record: 'k.card_id', since: sql`k.expires_at` })}
      from claims k join cards c on c.id = k.card_id and ${sameBoard('c', 'k')}
      where k.agent_id = ${param('agent')} and ${onBoards('k', param('boards'))} and k.expires_at <= ${param('now')}
        and k.is_attempt = 1 and k.lost_seen = 0 and c.archived = 0`,
)

const nextEnd = hot<{ boards: string; agent: string; now: string }, { at: string | null }>(
  (_, param) =>
    sql<{ at: string | null }>`select min(k.expires_at) as at from claims k
      where k.agent_id = ${param('agent')} and ${onBoards('k', param('boards'))} and k.expires_at > ${param('now')}`,
)

const claimsByCard = hot<Selection, ClaimsTable>((db, param) =>
  db
    .selectFrom('claims')
    .selectAll()
    .where(isAsked('claims', param, 'card_id')),
)

/** Expired claims of the caller, as long as no other claim has replaced them. */
const lapsedClaims: Source = {
  kind: 'claim_lost',
  about: 'card',
  isOpen: access => access.allows('CARDS_READ') && mayCall(access, { operation: 'get_card' }),
  find: (ctx, boards) => lapsed(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id, now: ctx.now() }),
  nextAt: async (ctx, boards) =>
    (await nextEnd(ctx.db, { boards: idsOf(boards), agent: ctx.caller.id, now: ctx.now() }))[0]?.at ?? null,
  show: async (ctx, page) => {
    const rows = await claimsByCard(ctx.db, sourcesOf(page))
    return new Map(
      rows.map(({ card_id, stage, note, expires_at }) => [
        card_id,
        {
          actor_id: null,
          data: { reason: 'expired', by: null, at: expires_at, stage, note },
          operation: 'get_card',
          arguments: { card_id },
        },
      ]),
    )
  },
}

/** The caller's unread news (crew 4.3). */
export const news: readonly Source[] = [...newsSources.map(newsSource), lapsedClaims]
