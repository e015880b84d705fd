import { statements } from './statements.ts'

/** What a search counts without words, by status too, and the titles that begin with what is searched for (board 4). */
export const texts = [
  `drop index search_records_held`,
  `create index search_records_held on search_records (place, archived, status)`,
  `create index search_records_title on search_records (title_key, place, archived, updated_at, record_id)`,
]

export const migration = statements(texts)
