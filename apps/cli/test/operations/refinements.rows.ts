import type { Rows } from './row.ts'

export const refinements: Rows<'refinements'> = {}
