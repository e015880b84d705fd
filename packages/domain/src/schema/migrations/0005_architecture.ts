import { statements } from './statements.ts'

/** The parts of architecture designs: the content of their diagrams, and their versions. */
export const migration = statements([
  `create index architecture_designs_source on architecture_designs (source_design_id)`,
  `create table architecture_payloads (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    design_id text not null references architecture_designs (id) on delete cascade,
    diagram_id text not null,
    content text not null,
    unique (design_id, diagram_id)
  )`,
  `create index architecture_payloads_board on architecture_payloads (board_id)`,
  `create table architecture_versions (
    id text not null primary key,
    board_id text not null references boards (id) on delete cascade,
    design_id text not null references architecture_designs (id) on delete cascade,
    version integer not null,
    content text not null,
    change_summary text not null,
    created_by text not null,
    created_at text not null,
    unique (design_id, version)
  )`,
  `create index architecture_versions_board on architecture_versions (board_id)`,
])
