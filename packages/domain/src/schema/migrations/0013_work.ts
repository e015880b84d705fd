import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { freeKey, keyStem } from '../../lib/reference.ts'

/** The tables whose records have a number. */
const numbered = ['ideations', 'refinements', 'specs', 'sprints', 'cards'] as const

/** Permissions that custom presets which exist do not have. */
const refused = ['CARDS_CLAIM', 'BOARDS_EXPORT', 'BOARDS_IMPORT', 'WEBHOOKS_READ', 'WEBHOOKS_MANAGE'] as const

/** What the migration decided that an operator should know. */
export const note = `custom presets do not allow the new permissions ${refused.join(', ')}; update those that should`

const run = async (db: Kysely<unknown>, ...texts: readonly string[]) => {
  for (const text of texts) await sql.raw(text).execute(db)
}

/**
 * Claims, at most one a card; and indexes with what tells which cards are ready (work 2, 3), so that no card with its
 * texts is read.
 */
const claims = [
  `create table claims (
    card_id text not null primary key references cards (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    agent_id text not null,
    stage text not null,
    note text,
    claimed_at text not null,
    renewed_at text not null,
    expires_at text not null,
    recorded_at text not null
  )`,
  `create index claims_board on claims (board_id, expires_at)`,
  `create index claims_agent on claims (agent_id, board_id)`,
  `create index cards_open on cards (board_id, id, status, archived) where archived = 0 and status not in ('done', 'cancelled')`,
  `create index cards_not_started on cards (
    board_id, id, card_type, spec_id, sprint_id, priority, due_date, position, created_at, assignee_id, labels
  ) where archived = 0 and status = 'not_started'`,
]

/**
 * Keys of boards and numbers of records (work 1): boards get keys in order of creation, and the records of a board
 * numbers in theirs, one count for all kinds. Claims. Custom presets get the new permissions as false.
 */
export const migration: Migration = {
  up: async db => {
    await run(
      db,
      `alter table boards add column key text not null default ''`,
      `alter table boards add column last_number integer not null default 0`,
      `create table former_board_keys (
        key text not null primary key,
        board_id text not null references boards (id) on delete cascade
      )`,
      `create index former_board_keys_board on former_board_keys (board_id)`,
    )
    await giveKeys(db)
    await run(db, `create unique index boards_key on boards (key)`)
    await giveNumbers(db)
    await run(db, ...claims)
    await refuseInPresets(db)
  },
}

async function giveKeys(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    id: string
    name: string
  }>`select id, name from boards order by created_at, id`.execute(db)
  const taken = new Set<string>()
  // Numbers below the last one of a stem are taken: boards of one name are many.
  const lastOf = new Map<string, number>()
  for (const { id, name } of rows) {
    const stem = keyStem(name)
    const key = freeKey(stem, taken, lastOf.get(stem))
    taken.add(key)
    if (key !== stem) lastOf.set(stem, Number(key.slice(stem.length)))
    await sql`update boards set key = ${key} where id = ${id}`.execute(db)
  }
}

/** Counts all records in one pass, then writes each table once. */
async function giveNumbers(db: Kysely<unknown>): Promise<void> {
  const all = numbered.map(table => `select '${table}' as kind, id, board_id, created_at from ${table}`)
  await run(
    db,
    `create temporary table numbers_given (
      kind text not null,
      id text not null,
      board_id text not null,
      number integer not null,
      primary key (kind, id)
    ) without rowid`,
    `insert into numbers_given (kind, id, board_id, number)
      select kind, id, board_id, row_number() over (partition by board_id order by created_at, id, kind)
      from (${all.join(' union all ')}) records order by kind, id`,
    `update boards set last_number = counted.last
      from (select board_id, max(number) as last from numbers_given group by board_id) counted
      where counted.board_id = boards.id`,
  )
  for (const table of numbered) {
    await run(
      db,
      `alter table ${table} add column number integer not null default 0`,
      `update ${table} set number = (
        select number from numbers_given where numbers_given.kind = '${table}' and numbers_given.id = ${table}.id)`,
      `create unique index ${table}_number on ${table} (board_id, number)`,
    )
  }
  await run(db, `drop table numbers_given`)
}

async function refuseInPresets(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    id: string
    flags: string
  }>`select id, flags from presets where is_builtin = 0`.execute(db)
  for (const { id, flags } of rows) {
    const complete = { ...JSON.parse(flags), ...Object.fromEntries(refused.map(name => [name, false])) }
    await sql`update presets set flags = ${JSON.stringify(complete)}, revision = revision + 1 where id = ${id}`.execute(
      db,
    )
  }
}
