import type { Rows } from './row.ts'

export const guidelines: Rows<'guidelines'> = {}
