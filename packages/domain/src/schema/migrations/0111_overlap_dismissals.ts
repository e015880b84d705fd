import { statements } from './statements.ts'

/** Overlaps that their holders want to hear of no more (harness 5.4). */
export const texts = [
  `create table overlap_dismissals (
    agent_id text not null,
    source text not null,
    at text not null,
    primary key (agent_id, source)
  )`,
]

export const migration = statements(texts)
