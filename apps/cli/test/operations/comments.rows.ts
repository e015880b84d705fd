import type { Rows } from './row.ts'

export const comments: Rows<'comments'> = {}
