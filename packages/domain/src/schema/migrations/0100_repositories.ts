import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { sqliteTrigger, type Trigger } from '../triggers.ts'

/** What the migration decided that an operator should know. */
export const note =
  'custom presets hold REPOSITORIES_READ and CHANGES_READ where they hold CARDS_READ; REPOSITORIES_MANAGE, CHANGES_RECORD and CHANGES_LINK are false'

/** The statements that both databases take. */
export const texts = [
  `create table repositories (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    name text not null,
    name_key text not null,
    url text not null,
    forge text not null,
    default_branch text not null,
    path_prefix text,
    recognise text not null,
    required_checks text not null,
    secret text not null,
    former_secrets text not null,
    require_signature bigint not null,
    active bigint not null,
    forge_id text,
    refusals text not null,
    synced_at text,
    last_delivery_at text,
    created_by text not null,
    created_at text not null,
    updated_at text not null
  )`,
  `create unique index repositories_name on repositories (board_id, name_key)`,
  `create table changes (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    repository_id text not null references repositories (id) on delete cascade,
    kind text not null,
    key text not null,
    title text not null,
    state text not null,
    author_name text,
    author_email text,
    author_login text,
    confirmed_by text,
    is_external bigint not null,
    is_linked bigint not null,
    files_changed bigint,
    additions bigint,
    deletions bigint,
    patch_id text,
    content text not null,
    happened_at text not null,
    created_at text not null,
    updated_at text not null
  )`,
  `create unique index changes_key on changes (repository_id, kind, key)`,
  `create index changes_board on changes (board_id, is_linked, happened_at, id)`,
  `create index changes_sha on changes (board_id, key)`,
  `create index changes_authors on changes (board_id, kind, author_email, author_login)`,
  `create index changes_patch on changes (repository_id, patch_id) where patch_id is not null`,
  `create table change_links (
    change_id text not null references changes (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    entity_type text not null,
    entity_id text not null,
    how text not null,
    is_undone bigint not null,
    linked_by text not null,
    linked_at text not null,
    primary key (change_id, entity_id)
  )`,
  `create index change_links_entity on change_links (entity_id, change_id)`,
  `create index change_links_board on change_links (board_id)`,
  `create table branch_commits (
    branch_id text not null references changes (id) on delete cascade,
    commit_id text not null references changes (id) on delete cascade,
    board_id text not null references boards (id) on delete cascade,
    primary key (branch_id, commit_id)
  )`,
  `create index branch_commits_commit on branch_commits (commit_id)`,
  `create index branch_commits_board on branch_commits (board_id)`,
  `create table change_authors (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    repository_id text references repositories (id) on delete cascade,
    email text,
    login text,
    agent_id text,
    position bigint not null
  )`,
  `create index change_authors_board on change_authors (board_id, position)`,
  `create index change_authors_repository on change_authors (repository_id)`,
]

/** A record that goes takes its links along. */
export const triggers: readonly Trigger[] = ['ideations', 'refinements', 'specs', 'sprints', 'cards'].map(table => ({
  name: `${table}_unlinked`,
  table,
  after: 'delete',
  statements: `update changes set is_linked = 0 where id in (select l.change_id from change_links l where l.entity_id = old.id)
      and not exists (select 1 from change_links o where o.change_id = changes.id and o.entity_id <> old.id and o.is_undone = 0);
    delete from change_links where entity_id = old.id;`,
}))

/** Repositories, and commits, branches and pull requests with their links to records (git). */
export const migration: Migration = {
  up: async db => {
    for (const text of [...texts, ...triggers.map(sqliteTrigger)]) await sql.raw(text).execute(db)
    await openInPresets(db)
  },
}

/** Whoever reads cards reads what was changed for them; nobody gains a right to write. */
export async function openInPresets(db: Kysely<unknown>): Promise<void> {
  const { rows } = await sql<{ id: string; flags: string }>`select id, flags from presets where is_builtin = 0`.execute(
    db,
  )
  for (const { id, flags } of rows) {
    const own = JSON.parse(flags) as Readonly<Record<string, boolean>>
    const reads = own.CARDS_READ === true
    const complete = {
      ...own,
      REPOSITORIES_READ: reads,
      REPOSITORIES_MANAGE: false,
      CHANGES_READ: reads,
      CHANGES_RECORD: false,
      CHANGES_LINK: false,
    }
    await sql`update presets set flags = ${JSON.stringify(complete)}, revision = revision + 1 where id = ${id}`.execute(
      db,
    )
  }
}
