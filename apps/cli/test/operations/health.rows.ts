import type { Rows } from './row.ts'

export const health: Rows<'health'> = { get_health: { args: () => ({}) } }
