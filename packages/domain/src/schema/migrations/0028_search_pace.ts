import { statements } from './statements.ts'

/** Which records a search leaves out, so that what it finds can be counted by its words alone (board 4). */
export const texts = [`create index search_records_held on search_records (place, archived)`]

/**
 * The segments of the term index are merged a little with each unit of work that indexes, and by nothing else: on its own
 * FTS5 merges many at once, which holds all calls for 80 ms.
 */
const merges = [
  `insert into search_terms (search_terms, rank) values ('automerge', 0)`,
  `insert into search_terms (search_terms, rank) values ('crisismerge', 1000)`,
]

export const migration = statements([...texts, ...merges])
