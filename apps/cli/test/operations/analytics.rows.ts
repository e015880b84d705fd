import type { Rows } from './row.ts'

export const analytics: Rows<'analytics'> = {}
