import type { Fit, Format, Miss } from '../format.ts'
import type { Entry } from '../neutral.ts'
import { Mapping } from '../words/mapping.ts'
import { hasTitle, headerIn, readCsv } from './read.ts'

export const csv: Format = {
  looksFor: 'a table (CSV) whose header has a column with titles, such as title, summary, name or subject',
  look({ entries }, options) {
    const mapping = new Mapping(options.mapping).columns
    const looked = entries
      .filter(isTable)
      .map(entry => ({ entry, columns: headerIn(entry.text ?? '', mapping).columns }))
    const tables = looked.filter(({ columns }) => hasTitle(columns, mapping))
    const [table, ...others] = tables
    if (table === undefined) return looked.filter(({ columns }) => columns.length > 1).map(withoutTitle)
    const isSure = tables.some(({ entry }) => hasRows(entry)) && entries.every(isNamedAsTable)
    const fit: Fit = {
      verdict: isSure ? 'sure' : 'possible',
      at: others.length === 0 ? table.entry.name : null,
      reason:
        others.length === 0
          ? `its columns are ${listed(table.columns)}`
          : `${tables.length} tables: ${tables.map(({ entry }) => entry.name).join(', ')}`,
      read: collected =>
        readCsv(
          tables.map(({ entry }) => entry),
          collected,
        ),
    }
    return [fit]
  },
}

const isNamedAsTable = ({ name }: Entry): boolean => name === null || /\.(?:csv|tsv|tab|txt)$/i.test(name)

/**
 * Whether a file can contain a table: text that looks like JSON or Markdown cannot, even if its name does not say so.
 */
const isTable = (entry: Entry): boolean =>
  isNamedAsTable(entry) && entry.text !== null && !/^\s*(?:[{[<]|#{1,6} )/.test(entry.text.slice(0, 100))

const hasRows = ({ text }: Entry): boolean => text?.trimEnd().includes('\n') === true

const listed = (columns: readonly string[]): string => columns.slice(0, 50).join(', ')

const withoutTitle = ({ entry, columns }: { entry: Entry; columns: readonly string[] }): Miss => ({
  verdict: 'no',
  at: entry.name,
  reason:
    `no column is known as a title; the columns are ${listed(columns)}. ` +
    `Say which one it is: mapping column.${columns[0]}=title (--mapping on the command line).`,
})
