import type { Rows } from './row.ts'

export const qa: Rows<'qa'> = {}
