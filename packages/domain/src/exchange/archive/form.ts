import { defaultBoardSettings } from '@specboard/contract'
import type { Db } from '../../schema/database.ts'
import type { Column } from '../kinds/columns.ts'
import { architectureFormerPayload, architecturePayload, architectureVersion } from '../kinds/designs.ts'
import type { WrittenColumns } from '../kinds/forms.ts'
import { event, kindOf } from '../kinds/kinds.ts'
import type { ArchiveForm } from './lines.ts'
import { kindQueries, partQueries } from './queries.ts'

/** The properties of columns that are needed to write an archive, without those that are only needed to read one. */
const writtenColumns = (columns: Readonly<Record<string, Column>>): WrittenColumns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { form, isAuthor, authorsIn }]) => [
      name,
      { form, ...(isAuthor && { isAuthor }), ...(authorsIn !== undefined && { authorsIn }) },
    ]),
  )

/**
 * Number of keys that are read at once, as one text: separate rows would take ten times as long. All keys of a long log
 * at once would take hundreds of MiB, but each batch costs a scan of all of them.
 */
const keysAtOnce = 20_000

/** The form of this version's archives, for the database of a handle. */
export const archiveForm = (db: Db, segment = keysAtOnce): ArchiveForm => ({
  kinds: [...kindOf.values()].map(({ type, table, columns }) => ({
    type,
    columns: writtenColumns(columns),
    queries: kindQueries(db, type, table, segment),
  })),
  queries: partQueries(db),
  segment,
  event: writtenColumns(event),
  versions: writtenColumns(architectureVersion),
  payloads: writtenColumns(architecturePayload),
  formerPayloads: writtenColumns(architectureFormerPayload),
  settings: defaultBoardSettings,
})
