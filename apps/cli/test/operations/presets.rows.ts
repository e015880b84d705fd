import type { Rows } from './row.ts'

export const presets: Rows<'presets'> = {}
