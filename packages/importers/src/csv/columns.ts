/** Which column of a table contains which field (imports 5). */
import { Unreadable } from '../neutral.ts'
import { type Field, fieldNames, fieldOf, mappedField, rankOf, titleLevel } from './field-names.ts'

/** Fields that may have several columns. */
const repeated: ReadonlySet<Field> = new Set<Field>([
  'id',
  'assignee',
  'assignees',
  'labels',
  'parent',
  'epic',
  'blocked_by',
  'blocks',
  'related',
  'comment',
])

/** Fields that repeat another one: they are read if that one is missing, and kept otherwise. */
const standIns: Readonly<Partial<Record<Field, readonly Field[]>>> = {
  url: ['id'],
  assignee_id: ['assignee', 'assignees'],
  assignee_username: ['assignee', 'assignees'],
  author_id: ['author', 'reporter'],
  reporter_id: ['author', 'reporter'],
  reporter: ['author'],
}

/** The columns of a table, by field. */
export class Columns {
  readonly names: readonly string[]
  /** The indexes of a field's columns, the best one first. */
  readonly #places: ReadonlyMap<Field, readonly number[]>
  readonly #taken: ReadonlySet<number>

  /**
   * Columns in the mapping take precedence over those with known names.
   * @throws Unreadable for a mapping to a field that does not exist
   */
  constructor(names: readonly string[], mapping: ReadonlyMap<string, string>) {
    this.names = names
    const mapped = mappedFields(mapping)
    const fields = names.map(name => mapped.get(name) ?? fieldOf(name))
    // Without a title column, the titles of a tree are in one column for each level.
    if (!fields.includes('title'))
      for (const [at, name] of names.entries()) if (titleLevel(name) !== undefined) fields[at] = 'title'
    const rank = (at: number): number => (mapped.has(names[at]!) ? -1 : rankOf(names[at]!))
    const isTree = (indexes: readonly number[]): boolean => indexes.every(at => titleLevel(names[at]!) !== undefined)
    const places = new Map<Field, number[]>()
    for (const field of fieldNames) {
      const found = [...fields.keys()].filter(at => fields[at] === field).toSorted((a, b) => rank(a) - rank(b))
      if (found.length > 0) places.set(field, repeated.has(field) || isTree(found) ? found : found.slice(0, 1))
    }
    this.#places = places
    const isStandIn = (field: Field): boolean => standIns[field]?.some(other => places.has(other)) ?? false
    this.#taken = new Set([...places].flatMap(([field, at]) => (isStandIn(field) ? [] : at)))
  }

  has(field: Field): boolean {
    return this.#places.has(field)
  }

  placesOf(field: Field): readonly number[] {
    return this.#places.get(field) ?? []
  }

  /** Whether a column is read into a field of a record. */
  isTaken(at: number): boolean {
    return this.#taken.has(at)
  }
}

function mappedFields(mapping: ReadonlyMap<string, string>): Map<string, Field> {
  return new Map(
    [...mapping].map(([column, name]) => {
      const field = mappedField(name)
      if (field === undefined)
        throw new Unreadable(
          `The mapping gives the column "${column}" the field "${name}", which does not exist. ` +
            `The fields are ${fieldNames.join(', ')}.`,
        )
      return [column, field]
    }),
  )
}
