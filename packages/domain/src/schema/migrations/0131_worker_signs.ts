import { statements } from './statements.ts'

/** What each node has seen of those who work: calls that were refused, and who waits (harness 6). */
export const texts = [
  `create table worker_signs (
    node text not null primary key,
    refusals text not null,
    waiting text not null,
    written_at text not null
  )`,
]

export const migration = statements(texts)
