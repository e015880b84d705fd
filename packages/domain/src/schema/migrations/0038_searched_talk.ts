import { noteAll, notingTriggers, type SearchedTable } from '../search-tables.ts'
import { sqliteTrigger } from '../triggers.ts'
import { statements } from './statements.ts'

/** The tables of what is said about records, with the columns whose changes are noted. */
export const talk: readonly (SearchedTable & { readonly columns: string })[] = [
  { source: 'comment', table: 'comments', columns: 'updated_at, content, responses' },
  { source: 'question', table: 'questions', columns: 'question, answer, answered_at' },
]

/** Comments, questions and the conclusions of cards are searched (board 4). What exists is noted as changed. */
export const notes = [...talk, { source: 'card', table: 'cards' } as const].map(noteAll)

export const migration = statements([
  ...talk.flatMap(table => notingTriggers(table, table.columns).map(sqliteTrigger)),
  ...notes,
])
