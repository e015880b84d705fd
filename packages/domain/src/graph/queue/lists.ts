import type { KgDeadLetter, KgQueueEntry } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { sql } from 'kysely'
import type { z } from 'zod'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { KgDeadLettersTable, KgQueueTable } from '../../schema/tables.ts'
import { ageInSeconds } from '../store/health.ts'
import { entryOf } from './entries.ts'

const entries = hot<{ board: string; limit: number; offset: number }, KgQueueTable>((db, param) =>
  db
    .selectFrom('kg_queue')
    .selectAll()
    .where('board_id', '=', param('board'))
    .orderBy('triggered_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const entryCount = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('kg_queue')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board')),
)

/** The entries of a board, newest first (knowledge-graph 4.4). */
export const readEntries = async (db: Db, board: string, paging: Paging): Promise<Page<z.input<typeof KgQueueEntry>>> =>
  paged(
    await entries(db, { board, ...window(paging) }),
    paging,
    async () => (await entryCount(db, { board }))[0]!.count,
    entryOf,
  )

const letters = hot<{ board: string; limit: number; offset: number }, KgDeadLettersTable>((db, param) =>
  db
    .selectFrom('kg_dead_letters')
    .selectAll()
    .where('board_id', '=', param('board'))
    .orderBy('dead_lettered_at', 'desc')
    .orderBy('id', 'desc')
    .limit(param('limit'))
    .offset(param('offset')),
)

const letterCount = hot<{ board: string }, { count: number }>((db, param) =>
  db
    .selectFrom('kg_dead_letters')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('board_id', '=', param('board')),
)

const letterOf = ({ run_id, errors, ...row }: KgDeadLettersTable): z.input<typeof KgDeadLetter> => ({
  ...row,
  errors: parseJson(errors),
})

/** The dead letters of a board, newest first (knowledge-graph 4.7). */
export const readDeadLetters = async (
  db: Db,
  board: string,
  paging: Paging,
): Promise<Page<z.input<typeof KgDeadLetter>>> =>
  paged(
    await letters(db, { board, ...window(paging) }),
    paging,
    async () => (await letterCount(db, { board }))[0]!.count,
    letterOf,
  )

interface Depths {
  readonly pending: number
  readonly oldest: string | null
  readonly claimed: number
  readonly boards: Json<string[]>
  readonly dead: number
}

const depths = hot<{ boards: string }, Depths>((_, param) => {
  const among = dialect.inList(sql.ref('board_id'), param('boards'))
  return sql<Depths>`select
        (select count(*) from kg_queue where ${among} and status = 'pending') as pending,
        (select min(triggered_at) from kg_queue where ${among} and status = 'pending') as oldest,
        (select count(*) from kg_queue where ${among} and status = 'claimed') as claimed,
        (select ${dialect.jsonCollect(sql.ref('board_id'))} from (select distinct board_id from kg_queue where ${among}
          and status = 'claimed' order by board_id) claiming) as boards,
        (select count(*) from kg_dead_letters where ${among}) as dead`
})

/** The depth of the queue over these boards (knowledge-graph 4.8). */
export async function readDepths(db: Db, boards: readonly string[], nowMs: number) {
  const [found] = await depths(db, { boards: JSON.stringify(boards) })
  const { pending, oldest, claimed, boards: claimedBoards, dead } = found!
  return {
    queue_depth: pending,
    oldest_pending_age_s: ageInSeconds(oldest, nowMs),
    claimed_count: claimed,
    claimed_boards: parseJson(claimedBoards).sort(),
    dead_letter_count: dead,
  }
}

interface Progress {
  readonly pending: number
  readonly claimed: number
  readonly paused: number
  readonly failed: number
}

const progress = hot<{ board: string }, Progress>(
  (_, param) =>
    sql<Progress>`select
        (select count(*) from kg_queue where board_id = ${param('board')} and status = 'pending') as pending,
        (select count(*) from kg_queue where board_id = ${param('board')} and status = 'claimed') as claimed,
        (select count(*) from kg_queue where board_id = ${param('board')} and status = 'paused') as paused,
        (select count(*) from kg_dead_letters where board_id = ${param('board')}) as failed`,
)

/** The number of a board's entries in each state, and of its dead letters. */
export const readQueueCounts = async (db: Db, board: string): Promise<Progress> => (await progress(db, { board }))[0]!
