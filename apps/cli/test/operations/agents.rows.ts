import type { Rows } from './row.ts'

export const agents: Rows<'agents'> = {}
