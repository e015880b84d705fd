import { dialect } from '@specboard/storage'
import { type ExpressionBuilder, sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { attachmentRef } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { AttachmentsTable, Schema } from '../../schema/tables.ts'

/** The attachments of a card, oldest first, as one JSON column. */
export const withAttachments = (eb: ExpressionBuilder<Schema, 'cards'>) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('attachments')
      .select([
        'attachments.id',
        'attachments.card_id',
        'attachments.filename',
        'attachments.original_filename',
        'attachments.mime_type',
        'attachments.size',
        'attachments.sha256',
        'attachments.uploaded_by',
        'attachments.created_at',
        attachmentRef.as('ref'),
      ])
      .whereRef('attachments.card_id', '=', 'cards.id')
      .where(sameBoard('attachments', 'cards'))
      .orderBy('attachments.created_at')
      .orderBy('attachments.id'),
  )

/** An attachment in responses (cards 2.4): all columns except its board and number, which its reference has. */
export type AttachmentRecord = Omit<AttachmentsTable, 'board_id' | 'number'> & { readonly ref: string }

/** An attachment by id. */
export const attachmentById = hot<{ id: string }, AttachmentsTable>((db, param) =>
  db.selectFrom('attachments').selectAll().where('id', '=', param('id')),
)

const summed = hot<object, { bytes: number }>(
  () => sql<{ bytes: number }>`select coalesce(sum(size), 0) as bytes from attachments`,
)

/** The total size of all attachments, bytes. */
export const sizeOfAll = async (db: Db): Promise<number> => (await summed(db, {}))[0]!.bytes
