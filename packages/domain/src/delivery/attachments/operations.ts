import { features } from '@specboard/contract'
import { refuseArchivedCard } from '../../kernel/archived.ts'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { type Implementation, implement, multiStep } from '../../kernel/implement.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import { fileDisposition } from '../../lib/content-disposition.ts'
import { insertRow } from '../../schema/rows.ts'
import type { AttachmentsTable } from '../../schema/tables.ts'
import { readCard } from '../card-record/store.ts'
import { recordOnCard } from '../card-record/write.ts'
import { attachmentPath } from './files/attachment-path.ts'
import { fileMissing } from './missing.ts'
import { contentType, mimeTypeOf, originalName, storedName } from './names.ts'
import { refuseFilesBeyondQuota } from './quota.ts'
import { queueFilesOf } from './removal.ts'
import { attachmentById } from './store.ts'

type Attachments = typeof features.attachments

/** The file is durable before its row commits; if the row fails, the file is removed (cards 11). */
const uploadAttachment = multiStep<Attachments['upload_attachment']>(async ({ params, file }, steps) => {
  const { files, attachmentMaxBytes } = steps.environment
  await steps.read(async ctx => refuseArchivedCard(await readCard(ctx.db, params.card_id)))
  const original_filename = originalName(file.filename)
  const filename = storedName(original_filename)
  const path = attachmentPath(params.board_id, filename)
  const stored = await files.put(path, file.open(), attachmentMaxBytes)
  try {
    return await steps.finish(async ctx => {
      const card = await readCard(ctx.db, params.card_id)
      refuseArchivedCard(card)
      await refuseFilesBeyondQuota(ctx, stored.size)
      const { number, ref } = await nextPartRef(ctx.db, { id: card.id, board: card.board_id }, 'a')
      const attachment = {
        id: ctx.newId(),
        card_id: card.id,
        filename,
        original_filename,
        mime_type: mimeTypeOf(file.mimeType, original_filename),
        ...stored,
        uploaded_by: ctx.caller.id,
        created_at: ctx.now(),
      }
      await insertRow(ctx.db, 'attachments', { ...attachment, number, board_id: card.board_id })
      const { id, size } = attachment
      await recordOnCard(ctx, card, 'attachment_uploaded', { attachment_id: id, filename: original_filename, size })
      return { ...attachment, ref }
    })
  } catch (error) {
    await files.remove(path)
    throw error
  }
})

const downloadAttachment = multiStep<Attachments['download_attachment']>(async ({ params }, steps) => {
  const { files } = steps.environment
  const row = await steps.read(ctx => storedAttachment(ctx, params.attachment_id))
  const path = attachmentPath(row.board_id, row.filename)
  const size = await files.size(path)
  if (size === undefined) throw fileMissing(row)
  return {
    filename: row.original_filename,
    mimeType: contentType(row.mime_type),
    size,
    headers: {
      'content-disposition': fileDisposition(row.original_filename),
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    },
    content: files.read(path),
  }
})

const deleteAttachment: Implementation<Attachments['delete_attachment']> = async ({ params }, ctx) => {
  const row = await storedAttachment(ctx, params.attachment_id)
  const card = await readCard(ctx.db, row.card_id)
  refuseArchivedCard(card)
  await queueFilesOf(ctx, 'id', row.id)
  await ctx.db.deleteFrom('attachments').where('id', '=', row.id).execute()
  await recordOnCard(ctx, card, 'attachment_deleted', { attachment_id: row.id, filename: row.original_filename })
}

async function storedAttachment(ctx: Context, id: string): Promise<AttachmentsTable> {
  const [row] = await attachmentById(ctx.db, { id })
  if (row === undefined) throw notFound('attachment', id)
  return row
}

export const attachmentOperations = implement(features.attachments, {
  upload_attachment: uploadAttachment,
  download_attachment: downloadAttachment,
  delete_attachment: deleteAttachment,
})
