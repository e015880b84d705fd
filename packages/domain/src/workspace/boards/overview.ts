import {
  type BoardOverview,
  CardStatus,
  type features,
  IdeationStatus,
  type Permission,
  RefinementStatus,
  SpecStatus,
  SprintStatus,
} from '@specboard/contract'
import { dialect } from '@specboard/storage'
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { z } from 'zod'
import { isOpen, waits } from '../../delivery/cards/list/filters.ts'
import { boardProof } from '../../delivery/evidence/board-proof.ts'
import type { Context } from '../../kernel/context.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { hot } from '../../schema/hot.ts'
import { refOf, type WithReference } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { CountedKind, NumberedTable, OwnerType, SprintsTable } from '../../schema/tables.ts'
import { lastSequence } from '../events/store.ts'
import { readBoard } from './store.ts'

/** A kind of record, with its table and the permission for reading it. */
interface Kind {
  readonly table: NumberedTable
  readonly read: Permission
  /** The kind of record that owns its questions; null if it has none. */
  readonly owner: OwnerType | null
}

const kinds: readonly Kind[] = [
  { table: 'ideations', read: 'IDEATIONS_READ', owner: 'ideation' },
  { table: 'refinements', read: 'REFINEMENTS_READ', owner: 'refinement' },
  { table: 'specs', read: 'SPECS_READ', owner: 'spec' },
  { table: 'sprints', read: 'SPRINTS_READ', owner: null },
  { table: 'cards', read: 'CARDS_READ', owner: 'card' },
]

type Row = { status: string; count: number }

const counted = hot<{ board: string }, Row & { kind: CountedKind }>((db, param) =>
  db
    .selectFrom('list_counts')
    .select(({ fn }) => ['kind', 'status', fn.sum<number>('count').as('count')])
    .where('board_id', '=', param('board'))
    .where('archived', '=', 0)
    .groupBy(['kind', 'status']),
)

const refinements = hot<{ board: string }, Row>((db, param) =>
  db
    .selectFrom('refinements')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .where('board_id', '=', param('board'))
    .where('archived', '=', 0)
    .groupBy('status'),
)

/** The counts of every status, including 0; null for a caller that may not read the kind. */
const byStatus = <const Status extends string>(statuses: readonly Status[], rows: readonly Row[]) =>
  Object.fromEntries(statuses.map(status => [status, rows.find(row => row.status === status)?.count ?? 0])) as Record<
    Status,
    number
  >

interface CardCounts {
  cards_blocked: number
  cards_claimed: number
  cards_overdue: number
}

const cardCounts = hot<{ board: string; now: string }, CardCounts>((_, param) => {
  const openCards = (condition: RawBuilder<SqlBool>) =>
    sql`(select count(*) from cards c where c.board_id = ${param('board')} and ${isOpen('c')} and ${condition})`
  return sql<CardCounts>`select ${openCards(waits)} as cards_blocked,
    (select count(*) from claims k join cards c on c.id = k.card_id and ${sameBoard('c', 'k')}
      where k.board_id = ${param('board')} and k.expires_at > ${param('now')} and c.archived = 0) as cards_claimed,
    ${openCards(sql`c.due_date < ${param('now')}`)} as cards_overdue`
})

const openQuestions = Object.fromEntries(
  kinds.map(({ table, owner }) => [
    table,
    hot<{ board: string }, { count: number }>(
      (_, param) =>
        sql<{ count: number }>`select count(*) as count from questions q join ${sql.table(table)} r on r.id = q.owner_id
          where q.board_id = ${param('board')} and q.owner_type = ${sql.lit(owner)} and q.answered_at is null and r.archived = 0`,
    ),
  ]),
) as Record<NumberedTable, ReturnType<typeof hot<{ board: string }, { count: number }>>>

interface Label {
  label: string
  count: number
}

const labels = hot<{ board: string; tables: string }, Label>((_, param) => {
  const parts = kinds.map(
    ({ table }) =>
      sql`select distinct r.id, each.value as label from ${sql.table(table)} r, ${dialect.jsonElements(sql.ref('r.labels'))} each
        where r.board_id = ${param('board')} and r.archived = 0
          and ${dialect.inList(sql.lit(table), param('tables'))}`,
  )
  return sql<Label>`select label, count(*) as count from (${sql.join(parts, sql` union all `)}) labelled
    group by label order by count(*) desc, label`
})

type ActiveSprint = Pick<SprintsTable, 'id' | 'title' | 'spec_id'> &
  WithReference & { cards_total: number; cards_done: number }

const activeSprints = hot<{ board: string }, ActiveSprint>((_, param) => {
  const cards = (condition: RawBuilder<SqlBool>) =>
    sql`(select count(*) from cards c where c.sprint_id = s.id and ${sameBoard('c', 's')} and c.archived = 0 and ${condition})`
  return sql<ActiveSprint>`select s.id, ${refOf('s')} as ref, s.title, s.spec_id,
      ${cards(sql`true`)} as cards_total, ${cards(sql`c.status = 'done'`)} as cards_done
    from sprints s where s.board_id = ${param('board')} and s.status = 'active' and s.archived = 0
    order by s.created_at, s.id`
})

/** The counts of records by status. */
async function recordCounts({ db, boardId: board, access }: Context) {
  const rows = await counted(db, { board })
  const of = (kind: CountedKind, read: Permission) => (access.allows(read) ? rows.filter(row => row.kind === kind) : [])
  return {
    ideations: byStatus(IdeationStatus.options, of('ideation', 'IDEATIONS_READ')),
    refinements: byStatus(
      RefinementStatus.options,
      access.allows('REFINEMENTS_READ') ? await refinements(db, { board }) : [],
    ),
    specs: byStatus(SpecStatus.options, of('spec', 'SPECS_READ')),
    sprints: byStatus(SprintStatus.options, of('sprint', 'SPRINTS_READ')),
    cards: byStatus(CardStatus.options, of('card', 'CARDS_READ')),
  }
}

/** The number of unanswered questions on the records of some kinds. */
async function countOpenQuestions({ db, boardId: board, access }: Context, readable: readonly Kind[]): Promise<number> {
  if (!access.allows('QA_READ')) return 0
  let open = 0
  for (const { table, owner } of readable)
    if (owner !== null) open += (await openQuestions[table](db, { board }))[0]!.count
  return open
}

/** The recommended changes to a board. */
type Advice = z.output<typeof BoardOverview>['advice']

/**
 * get_board_overview (board 5): what the caller may not read is left out, or counted as 0.
 * @param adviceOn the recommended changes to the board
 */
export const getBoardOverview =
  (adviceOn: (ctx: Context) => Promise<Advice>): Implementation<typeof features.board.get_board_overview> =>
  async (_, ctx) => {
    const { db, boardId: board, access } = ctx
    const readable = kinds.filter(({ read }) => access.allows(read))
    const [cards] = access.allows('CARDS_READ') ? await cardCounts(db, { board, now: ctx.now() }) : []
    return {
      ...(await readBoard(db, board)),
      last_sequence: await lastSequence(db, board),
      counts: {
        ...(await recordCounts(ctx)),
        ...(cards ?? { cards_blocked: 0, cards_claimed: 0, cards_overdue: 0 }),
        open_questions: await countOpenQuestions(ctx, readable),
      },
      labels: await labels(db, { board, tables: JSON.stringify(readable.map(({ table }) => table)) }),
      active_sprints: access.allows('SPRINTS_READ') ? await activeSprints(db, { board }) : [],
      advice: await adviceOn(ctx),
      proof: access.allows('CARDS_READ') ? await boardProof(db, board) : null,
    }
  }
