import { excerpt } from '../../lib/excerpt.ts'
import { externally } from '../../lib/external-names.ts'
import { derivedId, isActorId, isId } from '../../lib/ids.ts'
import { withAuthors } from '../archive/authors.ts'
import type { Column } from '../kinds/columns.ts'
import { mayContainIds, withTexts } from '../kinds/members.ts'
import { withRecordIds } from '../kinds/record-ids.ts'
import { type FilePosition, refused } from './refused.ts'

type Columns = Readonly<Record<string, Column>>
type Fields = Record<string, unknown>

/** What happens to the ids in an archive that do not have the service's form (walls 1). */
export interface OwnIds {
  /** The fields of a record, or of a part of one. */
  fields(columns: Columns, fields: Fields, place: FilePosition): Fields
  /** The id of the board in the manifest. */
  board(id: string, place: Partial<FilePosition>): string
  /** The id in a line of agents.jsonl. */
  agent(id: string, place: FilePosition): string
}

/** Whether a text may stand for an author: an actor's id, or the name of somebody who is not an actor here. */
const isAuthor = (text: string): boolean => isActorId(text) || text.startsWith(externally)

const notOwn = (subject: string, id: string, place: Partial<FilePosition>) =>
  refused(
    `${subject} has the id ${JSON.stringify(excerpt(id))}, which this service does not use: ids are UUIDs in lower case. Import the archive with keep_ids=false to give it new ids`,
    place,
  )

/** Refuses such ids; for imports that keep the ids of the archive. */
export const refusingOtherIds: OwnIds = {
  fields(columns, fields, place) {
    for (const [name, column] of Object.entries(columns)) {
      const value = fields[name] ?? null
      withRecordIds(column, value, id => {
        if (!isId(id)) throw notOwn(name, id, place)
        return id
      })
      if (column.isAuthor && !column.mayBeName && typeof value === 'string' && !isAuthor(value))
        throw notOwn(name, value, place)
    }
    return fields
  },
  board(id, place) {
    if (!isId(id)) throw notOwn('The board', id, place)
    return id
  },
  agent(id, place) {
    if (!isAuthor(id)) throw notOwn('The agent', id, place)
    return id
  },
}

/**
 * Replaces each such id with another one, which is the same wherever the id occurs and in every import. In free JSON
 * that names records, only the ids of records that were read before it are replaced.
 */
export function replacingOtherIds(): OwnIds {
  const replaced = new Map<string, string>()
  const own = (id: string): string => {
    if (isId(id)) return id
    const existing = replaced.get(id)
    if (existing !== undefined) return existing
    const derived = derivedId(id)
    replaced.set(id, derived)
    return derived
  }
  const agents = new Map<string, string>()
  const inside = (column: Column, value: unknown): unknown => {
    if (column.namesInside === undefined || column.idsIn !== undefined || replaced.size === 0) return value
    return withTexts(value, (name, text) => (mayContainIds(name) ? (replaced.get(text) ?? text) : text))
  }
  return {
    fields(columns, fields) {
      const owned: Fields = { ...fields }
      for (const [name, column] of Object.entries(columns)) {
        const value = inside(column, withRecordIds(column, fields[name] ?? null, own))
        owned[name] = withAuthors(column, value, author => agents.get(author) ?? author)
      }
      return owned
    },
    board: own,
    agent(id) {
      if (isAuthor(id)) return id
      const derived = derivedId(id)
      agents.set(id, derived)
      return derived
    },
  }
}
