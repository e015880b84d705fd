import { dialect } from '@specboard/storage'
import { expressionBuilder, sql } from 'kysely'
import { hot } from '../../schema/hot.ts'
import { knowledgeRef } from '../../schema/refs.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { KnowledgeTable, Schema } from '../../schema/tables.ts'

const summaryColumns = [
  'knowledge.id',
  'knowledge.owner_id',
  'knowledge.title',
  'knowledge.description',
  'knowledge.mime_type',
  'knowledge.source_type',
  'knowledge.source_id',
  'knowledge.source_title',
  'knowledge.source_version',
  'knowledge.source_kb_id',
  'knowledge.created_at',
] as const

/** Knowledge as stored, with its reference. */
export interface KnowledgeRow extends KnowledgeTable {
  ref: string
}

/** A row with the columns of a summary. */
export type KnowledgeSummaryRow = Omit<
  KnowledgeRow,
  'board_id' | 'owner_type' | 'number' | 'content' | 'created_by' | 'updated_at'
>

/** The knowledge summaries of a record, oldest first, as one JSON column. */
export const withKnowledge = (owner: string) =>
  dialect.jsonArrayFrom(
    expressionBuilder<Schema>()
      .selectFrom('knowledge')
      .select([...summaryColumns, knowledgeRef.as('ref')])
      .where('knowledge.owner_id', '=', sql.ref<string>(`${owner}.id`))
      .where(sameBoard('knowledge', owner))
      .orderBy('knowledge.created_at')
      .orderBy('knowledge.id'),
  )

/** A knowledge item by id. */
export const knowledgeById = hot<{ id: string }, KnowledgeRow>((db, param) =>
  db.selectFrom('knowledge').selectAll().select(knowledgeRef.as('ref')).where('id', '=', param('id')),
)

/** The knowledge of a record with its content, oldest first. */
export const knowledgeOf = hot<OnBoard, KnowledgeTable>((db, param) =>
  db
    .selectFrom('knowledge')
    .selectAll()
    .where('owner_id', '=', param('id'))
    .where(onBoard('knowledge', param('board_id')))
    .orderBy('created_at')
    .orderBy('id'),
)

/** A page of the knowledge of a record without its content, oldest first. */
export const listKnowledge = hot<OnBoard & { limit: number; offset: number }, KnowledgeSummaryRow>((db, param) =>
  db
    .selectFrom('knowledge')
    .select([...summaryColumns, knowledgeRef.as('ref')])
    .where('owner_id', '=', param('id'))
    .where(onBoard('knowledge', param('board_id')))
    .orderBy('created_at')
    .orderBy('id')
    .limit(param('limit'))
    .offset(param('offset')),
)

/** The number of knowledge items of a record. */
export const countKnowledge = hot<OnBoard, { count: number }>((db, param) =>
  db
    .selectFrom('knowledge')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', param('id'))
    .where(onBoard('knowledge', param('board_id'))),
)

/** Deletes a knowledge item. */
export const deleteKnowledge = hot<{ id: string }, never>((db, param) =>
  db.deleteFrom('knowledge').where('id', '=', param('id')),
)
