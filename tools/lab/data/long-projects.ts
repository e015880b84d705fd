import { randomUUID } from 'node:crypto'
import { databaseFile } from '@specboard/storage'
import SqliteDatabase from 'better-sqlite3'
import type { SeededBoard } from './fill.ts'

/** Unanswered questions on each board. */
const questionsEach = 20

/**
 * Gives the cards of filled boards the statuses of a long project: of five hundred two are worked on, two wait for a
 * validation, two are on hold, fifty are not started, and the others are done; and puts questions on some. Written
 * directly into the database of a stopped service.
 */
export function giveLongProjects(folder: string, filled: readonly SeededBoard[]): void {
  const database = new SqliteDatabase(databaseFile(folder))
  database.pragma('synchronous = off')
  const status = database.prepare(`update cards set moved_at = '2026-01-01T00:00:00.000Z', status = case position % 1000
      when 1 then 'in_progress' when 2 then 'in_progress' when 3 then 'validation' when 4 then 'validation'
      when 5 then 'on_hold' when 11 then 'on_hold'
      else case when position % 1000 < 110 then 'not_started' else 'done' end end
    where board_id = ?`)
  const questioned = database.prepare<[string, number], { id: string }>(
    'select id from cards where board_id = ? and archived = 0 limit ?',
  )
  const ask = database.prepare(`insert into questions (id, board_id, owner_type, owner_id, question, question_type,
      allow_free_text, asked_by, created_at) values (?, ?, 'card', ?, 'Why?', 'text', 0, 'somebody', ?)`)
  for (const { board_id } of filled)
    database.transaction(() => {
      status.run(board_id)
      for (const { id } of questioned.all(board_id, questionsEach))
        ask.run(randomUUID(), board_id, id, new Date().toISOString())
    })()
  database.close()
}
