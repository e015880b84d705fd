import { removedOwner } from '../removed-owner.ts'
import { sqliteTrigger, type Trigger } from '../triggers.ts'
import { statements } from './statements.ts'

/** The numbers of deleted records, so that the events of a record keep its reference (work 5). */
export const texts = [
  `create table deleted_numbers (
    entity_id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    number bigint not null
  )`,
  `create index deleted_numbers_board on deleted_numbers (board_id, number)`,
]

/** A record that goes leaves its number, unless its whole board is being removed. */
export const triggers: readonly Trigger[] = ['ideations', 'refinements', 'specs', 'sprints', 'cards'].map(table => ({
  name: `${table}_numbered`,
  table,
  after: 'delete',
  statements: `insert into deleted_numbers (entity_id, board_id, number)
    select old.id, old.board_id, old.number from boards b
      where b.id = old.board_id and b.owner_id <> '${removedOwner}' and old.number is not null
    on conflict do nothing;`,
}))

export const migration = statements([...texts, ...triggers.map(sqliteTrigger)])
