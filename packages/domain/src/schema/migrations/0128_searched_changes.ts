import { sqliteTrigger, type Trigger } from '../triggers.ts'
import { statements } from './statements.ts'

const note = (id: string) =>
  `insert into search_changes (source_type, source_id) values ('change', ${id}) on conflict do nothing;`

/** What notes changes that are searched: those that are linked, whenever they or their links change. */
export const triggers: readonly Trigger[] = [
  {
    name: 'changes_noted',
    table: 'changes',
    after: 'insert',
    when: 'new.is_linked = 1',
    statements: note('new.id'),
  },
  {
    name: 'changes_noted_again',
    table: 'changes',
    after: 'update of title, state, is_linked, updated_at',
    when: 'new.is_linked = 1 or old.is_linked = 1',
    statements: note('new.id'),
  },
  {
    name: 'changes_noted_last',
    table: 'changes',
    after: 'delete',
    when: 'old.is_linked = 1',
    statements: note('old.id'),
  },
  // The first record that a change is linked to is its parent.
  { name: 'change_links_noted', table: 'change_links', after: 'insert', statements: note('new.change_id') },
  {
    name: 'change_links_noted_again',
    table: 'change_links',
    after: 'update of is_undone',
    statements: note('new.change_id'),
  },
  { name: 'change_links_noted_last', table: 'change_links', after: 'delete', statements: note('old.change_id') },
]

/** Those that exist are noted as changed. */
export const notes = [
  `insert into search_changes (source_type, source_id) select 'change', id from changes where is_linked = 1
    on conflict do nothing`,
]

/** Changes that are linked to records are searched (git 9). */
export const migration = statements([...triggers.map(sqliteTrigger), ...notes])
