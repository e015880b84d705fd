/** Which column of a CSV file holds which field (exchange 2.5). */
import { isReservedKey, reservedKeyRefusal } from '@specboard/contract'
import { Unreadable } from '../neutral.ts'
import { type Field, fieldOf } from './words.ts'

/** Fields that take what several columns hold, or texts between commas. */
const lists: ReadonlySet<Field> = new Set(['id', 'assignee', 'labels', 'parent', 'blocked_by'])

/** The field of each column; undefined for one that no field takes. */
export type Columns = readonly (Field | undefined)[]

/**
 * The fields of the columns: those of the mapping, others by their names. Of several columns for a field that takes
 * one, the first counts, or the mapped one.
 * @param mapping JSON text: column → field
 * @throws Unreadable naming the column or field that is unknown
 */
export function columnsOf(header: readonly string[], mapping: string | undefined): Columns {
  const mapped = mappingOf(mapping)
  for (const column of mapped.keys())
    if (!header.includes(column)) throw new Unreadable(`The file has no column "${column}", which the mapping names.`)
  const used = new Set(mapped.values())
  return header.map(column => {
    const chosen = mapped.get(column)
    if (chosen !== undefined) return chosen
    const field = fieldOf(column)
    if (field === undefined || (used.has(field) && !lists.has(field))) return undefined
    used.add(field)
    return field
  })
}

function mappingOf(text: string | undefined): Map<string, Field> {
  const mapping = text === undefined ? {} : objectOf(text)
  return new Map(
    Object.entries(mapping).map(([column, name]) => {
      if (isReservedKey(column)) throw new Unreadable(`A column of the mapping ${reservedKeyRefusal}.`)
      const field = typeof name === 'string' ? fieldOf(name) : undefined
      if (field === undefined)
        throw new Unreadable(`The mapping gives "${column}" the field ${JSON.stringify(name)}, which does not exist.`)
      return [column, field]
    }),
  )
}

function objectOf(text: string): object {
  const value = jsonOf(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Unreadable('The mapping is no JSON object of columns and their fields.')
  return value
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
