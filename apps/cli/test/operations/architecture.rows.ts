import type { Rows } from './row.ts'

export const architecture: Rows<'architecture'> = {}
