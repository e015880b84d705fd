import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'

/** What a board that exists keeps: no card of it moves otherwise than before (crew 12). */
const asBefore = { auto_move: false, max_attempts: 0 } as const

/** What the migration decided that an operator should know. */
export const note =
  'boards that exist move no card after its validation and limit no attempts: set auto_move and max_attempts of those that should'

/** The statements that both databases take. */
export const texts = [
  `alter table cards add column reserved_for text`,
  `alter table cards add column reserved_until text`,
  `alter table cards add column failed_attempts bigint not null default 0`,
  `alter table cards add column lost_attempts bigint not null default 0`,
  `alter table cards add column attempt_limit bigint`,
  `create index cards_begun on cards (board_id, id) where archived = 0 and status in ('started', 'in_progress')`,
  `create index cards_attempted on cards (board_id, id) where failed_attempts > 0 or lost_attempts > 0`,
  `create index cards_reserved on cards (reserved_for) where reserved_for is not null`,
  // Claims that exist and run out are attempts of nobody.
  `alter table claims add column is_attempt bigint not null default 0`,
  `alter table claims add column lost_seen bigint not null default 0`,
  `create table news (
    agent_id text not null,
    kind text not null,
    source text not null,
    board_id text not null references boards (id) on delete cascade,
    entity_type text not null,
    entity_id text not null,
    since text not null,
    actor_id text,
    actor_name text,
    data text not null,
    record text,
    primary key (agent_id, kind, source)
  )`,
  `create index news_board on news (board_id)`,
  `create index news_entity on news (entity_id, agent_id)`,
]

/**
 * Reservations, attempts and changed requirements of cards, and what agents are told once (crew 4). Owners of boards that
 * exist are told what is new.
 */
export const migration: Migration = {
  up: async db => {
    for (const text of texts) await sql.raw(text).execute(db)
    await keepSettings(db)
  },
}

/** Lets boards that exist work as before, and tells their owners. */
export async function keepSettings(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{
    id: string
    owner_id: string
    settings: string
    updated_at: string
  }>`select id, owner_id, settings, updated_at from boards`.execute(db)
  const data = JSON.stringify({ settings: Object.keys(asBefore) })
  for (const { id, owner_id, settings, updated_at } of rows) {
    const complete = JSON.stringify({ ...JSON.parse(settings), ...asBefore })
    await sql`update boards set settings = ${complete} where id = ${id}`.execute(db)
    await sql`insert into news (agent_id, kind, source, board_id, entity_type, entity_id, since, data)
      values (${owner_id}, 'notice', ${id}, ${id}, 'board', ${id}, ${updated_at}, ${data})`.execute(db)
  }
}
