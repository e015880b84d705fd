import { statements } from './statements.ts'

/**
 * Nodes that share a database: which of them run, what each of them holds that one at a time may have, and which of them
 * works on an entry of the graph's queue or on an import (`kernel/leases.ts`).
 */
export const texts = [
  `create table nodes (
    id text not null primary key,
    leased_until text not null
  )`,
  `create table leases (
    name text not null primary key,
    node_id text not null references nodes (id) on delete cascade
  )`,
  `create index leases_node on leases (node_id)`,
  `alter table kg_queue add column node_id text`,
  `alter table imports add column node_id text`,
]

export const migration = statements(texts)
