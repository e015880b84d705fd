import type { Rows } from './row.ts'

export const lineage: Rows<'lineage'> = {}
