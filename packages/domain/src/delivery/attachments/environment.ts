import type { AttachmentFiles } from './files/files.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** Where the bytes of attachments are stored. */
    readonly files: AttachmentFiles
  }
}
