import { DomainError } from '../../kernel/errors.ts'
import type { AttachmentsTable } from '../../schema/tables.ts'

/** 410: the row exists, its file does not (trust 5). */
export const fileMissing = ({ id, original_filename }: Pick<AttachmentsTable, 'id' | 'original_filename'>) =>
  new DomainError(
    'FILE_MISSING',
    `The file of this attachment (${original_filename}) is missing on the server. Ask its operator to restore it, or delete the attachment and upload the file again.`,
    { attachment_id: id },
  )
