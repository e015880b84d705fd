import type { Rows } from './row.ts'

export const attachments: Rows<'attachments'> = {}
