import type { Rows } from './row.ts'

export const sprints: Rows<'sprints'> = {}
