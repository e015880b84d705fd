import type { Rows } from './row.ts'

export const specs: Rows<'specs'> = {}
