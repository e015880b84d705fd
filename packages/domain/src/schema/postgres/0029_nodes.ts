import { searched } from '../migrations/0016_search.ts'
import { texts } from '../migrations/0029_nodes.ts'
import { notingTriggers } from '../search-tables.ts'
import { postgresFunction } from '../triggers.ts'
import { statements } from './statements.ts'

/** Whoever writes a row locks its note until the commit: no other node indexes the row as it was, and forgets the note. */
const heldNotes = searched.flatMap(table =>
  notingTriggers(
    table,
    table.columns,
    'on conflict (source_id, source_type) do update set source_id = excluded.source_id',
  ),
)

/** What both databases take, and notes that units of work beside each other keep. */
export const migration = statements([...texts, ...heldNotes.map(postgresFunction)])
