import { defaultBoardSettings } from '@specboard/contract'
import type { Column } from '../kinds/columns.ts'
import type { WrittenColumns } from '../kinds/forms.ts'
import { architectureFormerPayload, architecturePayload, architectureVersion, event, kindOf } from '../kinds/kinds.ts'
import type { ArchiveForm } from './lines.ts'

/** What writing an archive has to know of columns, without what only reading one needs. */
const written = (columns: Readonly<Record<string, Column>>): WrittenColumns =>
  Object.fromEntries(
    Object.entries(columns).map(([name, { form, isAuthor, authorsIn }]) => [
      name,
      { form, ...(isAuthor && { isAuthor }), ...(authorsIn !== undefined && { authorsIn }) },
    ]),
  )

/** What the archives of this version are written of. */
export const archiveForm: ArchiveForm = {
  kinds: [...kindOf.values()].map(({ type, table, columns }) => ({ type, table, columns: written(columns) })),
  event: written(event),
  versions: written(architectureVersion),
  payloads: written(architecturePayload),
  formerPayloads: written(architectureFormerPayload),
  settings: defaultBoardSettings,
}
