import type { Type } from './types.ts'

/** Converts a value in a row of the SELECT to the query's answer: parses JSON, and turns 1 and 0 into booleans. */
export function readValue(value: unknown, type: Type): unknown {
  if (value === null) return null
  switch (type.kind) {
    case 'boolean':
      return value === 1 || value === true
    case 'node':
    case 'edge':
    case 'path':
      return typeof value === 'string' ? JSON.parse(value) : value
    case 'list': {
      const items: unknown[] = typeof value === 'string' ? JSON.parse(value) : value
      return items.map(item => readValue(item, type.of))
    }
    default:
      return value
  }
}
