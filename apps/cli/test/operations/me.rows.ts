import type { Rows } from './row.ts'

export const me: Rows<'me'> = {}
