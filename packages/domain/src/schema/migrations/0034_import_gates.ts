import { statements } from './statements.ts'

/**
 * How nodes close a board together while an import is put in place (`exchange/import/closed-boards.ts`): the records that
 * it touches, and which nodes have closed the board.
 */
export const texts = [
  `create table import_touched (
    import_id text not null references imports (id) on delete cascade,
    at bigint not null,
    ids text not null,
    primary key (import_id, at)
  )`,
  `create table import_gates (
    import_id text not null references imports (id) on delete cascade,
    node_id text not null references nodes (id) on delete cascade,
    primary key (import_id, node_id)
  )`,
  `create index import_gates_node on import_gates (node_id)`,
]

export const migration = statements(texts)
