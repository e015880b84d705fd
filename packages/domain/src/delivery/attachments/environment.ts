import type { AttachmentFiles } from './files/files.ts'

declare module '../../kernel/context.ts' {
  interface Environment {
    /** Where the bytes of attachments lie. */
    readonly files: AttachmentFiles
  }
}
