import type { Db } from './db.ts'
import { hotQueries } from './hot.ts'
import type { Json } from './json.ts'
import type { Migrations } from './migrate.ts'

/** A table for testing the engine. */
export interface NotesTable {
  id: string
  title: string
  labels: Json<string[]> | null
  /** A counter in the row. */
  seq: number
}

/** Remarks on notes. */
export interface RemarksTable {
  id: string
  note_id: string
  text: string
}

export interface NotesSchema {
  notes: NotesTable
  remarks: RemarksTable
}

export const migrations: Migrations = {
  '0001_notes': {
    up: async db => {
      await db.schema
        .createTable('notes')
        .addColumn('id', 'text', column => column.primaryKey().notNull())
        .addColumn('title', 'text', column => column.notNull())
        .addColumn('labels', 'text')
        .addColumn('seq', 'integer', column => column.notNull().defaultTo(0))
        .execute()
      await db.schema
        .createTable('remarks')
        .addColumn('id', 'text', column => column.primaryKey().notNull())
        .addColumn('note_id', 'text', column => column.notNull().references('notes.id'))
        .addColumn('text', 'text', column => column.notNull())
        .execute()
    },
  },
}

export const hot = hotQueries<NotesSchema>()

const insert = hot<{ id: string; title: string }, never>((db, param) =>
  db.insertInto('notes').values({ id: param('id'), title: param('title'), labels: null, seq: 0 }),
)

/** Inserts a note. */
export const put = (db: Db<NotesSchema>, id: string, title = ''): Promise<unknown> => insert(db, { id, title })

/** The ids of all notes. */
export const idsIn = async (db: Db<NotesSchema>): Promise<string[]> =>
  (await db.selectFrom('notes').select('id').orderBy('id').execute()).map(row => row.id)
