/** Reads tables of issues (exchange 2.5, imports 5). */
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { inPieces } from '../in-pieces.ts'
import type { Entry } from '../neutral.ts'
import { Unreadable } from '../neutral.ts'
import { Columns } from './columns.ts'
import { DateColumn, orderOf } from './dates.ts'
import { identified } from './identity.ts'
import { dateFields, Item } from './item.ts'
import { ItemReader } from './item-reader.ts'
import { Parents } from './parents.ts'
import { References } from './references.ts'
import { headerOf, rowsBelow } from './table.ts'

/**
 * Reads the rows of all tables, which may refer to one another, into specs and cards.
 * @throws Unreadable for an invalid mapping
 */
export function* readCsv(tables: readonly Entry[], collected: Collection): InPieces<null> {
  refuseUnknownColumns(tables, collected)
  const items: Item[] = []
  const above = new Map<Item, Item>()
  for (const table of tables) {
    const read = yield* itemsOf(table, collected)
    items.push(...read)
    for (const [item, parent] of treeOf(read)) above.set(item, parent)
  }
  const ids = yield* identified(items, collected)
  const read = items.filter(item => ids.has(item))
  for (const [item, parent] of above) if (!ids.has(parent)) above.delete(item)
  const references = yield* References.to(read)
  const parents = yield* Parents.of(read, above, references, collected)
  const reader = new ItemReader({ collected, ids, references, parents, items: read })
  for (const step of [reader.readSpec, reader.readCard, reader.readLinks]) yield* inPieces(read, step.bind(reader))
  return null
}

/** Whether a header has a title column. */
export const hasTitle = (names: readonly string[], mapping: ReadonlyMap<string, string>): boolean =>
  new Columns(names, mapping).has('title')

function refuseUnknownColumns(tables: readonly Entry[], { words: { mapping } }: Collection): void {
  const columns = tables.flatMap(({ text }) => headerIn(text ?? '', mapping.columns).columns)
  for (const column of mapping.columns.keys())
    if (!columns.includes(column))
      throw new Unreadable(
        `There is no column "${column}", which the mapping names. The columns are ${[...new Set(columns)].slice(0, 50).join(', ')}.`,
      )
}

export const headerIn = (text: string, mapping: ReadonlyMap<string, string>) =>
  headerOf(text, names => hasTitle(names, mapping))

/** The rows of a table. */
function* itemsOf(table: Entry, collected: Collection): InPieces<Item[]> {
  const { mapping } = collected.words
  const text = collected.textOf(table, 'any') ?? ''
  const header = headerIn(text, mapping.columns)
  const { rows, broken } = yield* rowsBelow(text, header, table.name)
  for (const { place, reason } of broken)
    collected.notRead({ place }, `The quotes of this row do not match: ${reason}.`)
  const columns = new Columns(header.columns, mapping.columns)
  const order = mapping.date === null ? null : orderOf(mapping.date)
  const dates = new Map(dateFields.flatMap(field => columns.placesOf(field)).map(at => [at, new DateColumn(order)]))
  const comments = new Set(columns.placesOf('comment'))
  yield* inPieces(rows, ({ cells }) => {
    for (const [at, column] of dates) column.see((comments.has(at) ? cells[at]?.split(';', 1)[0] : cells[at]) ?? '')
  })
  for (const [at, { unclear }] of dates)
    if (unclear.length > 0)
      collected.note(
        { place: { entry: table.name, line: null } },
        `For the dates in the column "${header.columns[at]}" (${unclear.length}, such as "${unclear[0]!.trim()}"), ` +
          'it is not clear whether the day or the month comes first. They are kept in "Imported fields"; ' +
          'a mapping says how they are written: date=DD/MM/YYYY (--mapping on the command line).',
      )
  const layout = { columns, dates }
  return rows.map(row => new Item(row, layout))
}

/** The parent of each row, in a table with one title column for each level. */
function treeOf(items: readonly Item[]): Map<Item, Item> {
  const parents = new Map<Item, Item>()
  const path: Item[] = []
  for (const item of items) {
    const { depth } = item
    const parent = path[Math.min(depth, path.length) - 1]
    if (parent !== undefined) parents.set(item, parent)
    path.length = Math.min(depth, path.length)
    path.push(item)
  }
  return parents
}
