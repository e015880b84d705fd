import type { Rows } from './row.ts'

export const discovery: Rows<'discovery'> = {}
