import type { Type } from './types.ts'

/** A value of a SELECT's row as a query answers it: JSON read, true and false for 1 and 0. */
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
