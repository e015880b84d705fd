import { statements } from './statements.ts'

/** What a list of specs counts of their cards, in their index; and the content of former diagrams (board 6). */
export const migration = statements([
  `drop index cards_spec`,
  `create index cards_spec on cards (spec_id, created_at, id, archived, status) where spec_id is not null`,
  `create table architecture_former_payloads (
    design_id text not null references architecture_designs (id) on delete cascade,
    diagram_id text not null,
    content_hash text not null,
    content text not null,
    primary key (design_id, diagram_id, content_hash)
  )`,
])
