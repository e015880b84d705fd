import { type RawBuilder, sql } from 'kysely'
import type { Db } from './database.ts'
import type { Schema } from './tables.ts'

/** A table with rows of boards. */
export interface Part {
  readonly table: keyof Schema
  /** The columns that identify its rows. */
  readonly key: RawBuilder<unknown>
  /** The condition that selects the rows of a board. */
  readonly rows: (boardId: string) => RawBuilder<unknown>
}

const ofBoard = (boardId: string) => sql`board_id = ${boardId}`

const part = (table: keyof Schema, key: readonly string[] = ['id'], rows = ofBoard): Part => ({
  table,
  key: sql.join(key.map(column => sql.ref(column))),
  rows,
})

/**
 * The tables in which a board may have many rows, children first, so that deleting a row does not cascade to many
 * others. The graph comes after the records, so that it never lacks one that exists.
 */
export const partsOfBoards: readonly Part[] = [
  part('kg_queue'),
  part(
    'webhook_deliveries',
    ['id'],
    boardId => sql`webhook_id in (select w.id from webhooks w where w.board_id = ${boardId})`,
  ),
  part('forge_deliveries'),
  part('change_checks', ['sha', 'repository_id', 'name']),
  part('branch_commits', ['branch_id', 'commit_id']),
  part('automation_refusals', ['card_id']),
  part('change_links', ['change_id', 'entity_id']),
  part('change_authors'),
  part('changes'),
  part('test_cases', ['report_id', 'position']),
  part('report_scenarios', ['report_id', 'spec_id', 'scenario_id']),
  part('scenario_results', ['spec_id', 'scenario_id', 'tier']),
  part('imported_results', ['spec_id', 'scenario_id', 'tier']),
  part('report_records', ['report_id', 'entity_id']),
  part('test_reports'),
  part('run_records', ['run_id', 'entity_id']),
  part('proof_runs'),
  part('card_waivers', ['card_id']),
  part('done_tiers', ['entity_id']),
  part('attachments'),
  part('events'),
  part('event_archives', ['board_id', 'file']),
  part('deleted_numbers', ['entity_id']),
  part('external_ids', ['board_id', 'source', 'external_id']),
  part('external_authors', ['board_id', 'author']),
  part('graph_actions'),
  part('card_dependencies'),
  part('claims', ['card_id']),
  part('path_reservations'),
  part('news', ['agent_id', 'kind', 'source']),
  part('mentions'),
  part('task_validations'),
  part('part_numbers', ['owner_id', 'letter']),
  part('comments'),
  part('questions'),
  part('knowledge'),
  part('snapshots'),
  part('spec_validations'),
  part('architecture_versions'),
  part('architecture_payloads'),
  part('architecture_designs'),
  part('saved_searches'),
  part('saved_views'),
  part('search_history'),
  part('cards'),
  part('sprints'),
  part('specs'),
  part('refinements'),
  part('ideations'),
  part('kg_edges'),
  part('kg_vectors', ['ordinal']),
  part('kg_session_changes'),
  part('kg_sessions'),
  part('kg_nodes'),
  part('kg_dead_letters'),
  part('kg_stream_events'),
  part('kg_ticks'),
  // The row of a board does not cascade here, because global guidelines stay: those of a refused import would stay for
  // ever.
  part('guidelines', ['id'], boardId => sql`board_id = ${boardId} and scope = 'inline'`),
]

/** Rows removed in one turn, so that no call waits long. */
const atOnce = 100

/**
 * Removes a board's rows from some tables, in pieces.
 * @param write runs a piece: in a unit of work of its own, or in a turn of one
 */
export async function removeRows(
  write: <Value>(run: (db: Db) => Promise<Value>) => Promise<Value>,
  parts: readonly Part[],
  boardId: string,
): Promise<void> {
  for (const each of parts)
    for (let removed = atOnce; removed === atOnce; ) removed = await write(db => removeSome(db, each, boardId))
}

async function removeSome(db: Db, { table, key, rows }: Part, boardId: string): Promise<number> {
  const { numAffectedRows = 0n } = await sql`delete from ${sql.table(table)} where (${key}) in (
    select ${key} from ${sql.table(table)} where ${rows(boardId)} limit ${atOnce})`.execute(db)
  return Number(numAffectedRows)
}
