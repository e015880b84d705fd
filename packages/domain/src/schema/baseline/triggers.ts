/** The triggers of a new database, independent of the engine's language. */
import { countedTables, countingTriggers, movedCounts } from '../list-counts.ts'
import { removedOwner } from '../removed-owner.ts'
import { queueingTriggers, type SearchedTable } from '../search-tables.ts'
import type { Trigger } from '../triggers.ts'

/** The triggers that maintain the counts of lists; splitting a segment is specific to each database. */
export const counting: readonly Trigger[] = [...countedTables.flatMap(table => countingTriggers(table)), movedCounts]

const stateful = 'updated_at, title, status, archived'

/** A table with the columns whose changes are queued for the search index. */
type NotedTable = SearchedTable & { readonly columns: string }

const records: readonly NotedTable[] = [
  { source: 'ideation', table: 'ideations', columns: stateful },
  { source: 'refinement', table: 'refinements', columns: `${stateful}, ideation_id` },
  { source: 'spec', table: 'specs', columns: `${stateful}, ideation_id, refinement_id` },
  { source: 'sprint', table: 'sprints', columns: `${stateful}, spec_id` },
  { source: 'card', table: 'cards', columns: `${stateful}, spec_id` },
  { source: 'architecture', table: 'architecture_designs', columns: 'updated_at, title' },
  { source: 'knowledge', table: 'knowledge', columns: 'updated_at, title' },
  { source: 'guideline', table: 'guidelines', columns: 'updated_at, title' },
]

/** The tables of comments and questions. */
const talk: readonly NotedTable[] = [
  { source: 'comment', table: 'comments', columns: 'updated_at, content, responses' },
  { source: 'question', table: 'questions', columns: 'question, answer, answered_at' },
]

const noteChange = (id: string) =>
  `insert into search_changes (source_type, source_id) values ('change', ${id}) on conflict do nothing;`

/** The triggers that queue linked Git changes, whenever they or their links change (git 9). */
const notingChanges: readonly Trigger[] = [
  {
    name: 'changes_noted',
    table: 'changes',
    after: 'insert',
    when: 'new.is_linked = 1',
    statements: noteChange('new.id'),
  },
  {
    name: 'changes_noted_again',
    table: 'changes',
    after: 'update of title, state, is_linked, updated_at',
    when: 'new.is_linked = 1 or old.is_linked = 1',
    statements: noteChange('new.id'),
  },
  {
    name: 'changes_noted_last',
    table: 'changes',
    after: 'delete',
    when: 'old.is_linked = 1',
    statements: noteChange('old.id'),
  },
  // The first record that a change is linked to is its parent.
  { name: 'change_links_noted', table: 'change_links', after: 'insert', statements: noteChange('new.change_id') },
  {
    name: 'change_links_noted_again',
    table: 'change_links',
    after: 'update of is_undone',
    statements: noteChange('new.change_id'),
  },
  { name: 'change_links_noted_last', table: 'change_links', after: 'delete', statements: noteChange('old.change_id') },
]

/**
 * The triggers that queue each changed row for the search index, in the transaction of the write.
 * @param ifNoted what to do if a record is already queued
 */
export const noting = (ifNoted?: string): readonly Trigger[] => [
  ...records.flatMap(table => queueingTriggers(table, table.columns, ifNoted)),
  ...talk.flatMap(table => queueingTriggers(table, table.columns)),
  ...notingChanges,
]

/** A deleted record leaves its number behind, unless its whole board is being removed (work 5). */
export const numbering: readonly Trigger[] = ['ideations', 'refinements', 'specs', 'sprints', 'cards'].map(table => ({
  name: `${table}_numbered`,
  table,
  after: 'delete',
  statements: `insert into deleted_numbers (entity_id, board_id, number)
    select old.id, old.board_id, old.number from boards b
      where b.id = old.board_id and b.owner_id <> '${removedOwner}' and old.number is not null
    on conflict do nothing;`,
}))

/** The links of a deleted record are deleted with it. */
export const unlinking: readonly Trigger[] = ['ideations', 'refinements', 'specs', 'sprints', 'cards'].map(table => ({
  name: `${table}_unlinked`,
  table,
  after: 'delete',
  statements: `update changes set is_linked = 0 where id in (select l.change_id from change_links l where l.entity_id = old.id)
      and not exists (select 1 from change_links o where o.change_id = changes.id and o.entity_id <> old.id and o.is_undone = 0);
    delete from change_links where entity_id = old.id;`,
}))
