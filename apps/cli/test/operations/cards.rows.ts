import type { Rows } from './row.ts'

export const cards: Rows<'cards'> = {}
