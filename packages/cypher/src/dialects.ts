import type { Dialect } from './dialect.ts'
import { postgres } from './postgres/dialect.ts'
import { sqlite } from './sqlite/dialect.ts'

/** The databases that queries are translated for. */
export const dialects = { sqlite, postgres } satisfies Readonly<Record<string, Dialect>>
