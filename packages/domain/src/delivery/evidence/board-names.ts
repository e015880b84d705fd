/** What a report may refer to on its board: repositories, cards and specs (evidence 2). */
import { dialect } from '@specboard/storage'
import { sql } from 'kysely'
import { archivedCard, archivedRefusal } from '../../kernel/archived.ts'
import { type DomainError, invalid } from '../../kernel/errors.ts'
import { parseReference } from '../../lib/reference.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { keysOf, recordsByNumber } from '../git/store.ts'

/** A record that a report counts for. */
export interface CoveredRecord {
  readonly type: 'card' | 'spec'
  readonly id: string
}

/** Records that a report counts for, and the refusal for archived ones, to be thrown once everything else is valid. */
export interface CoveredRecords {
  readonly records: readonly CoveredRecord[]
  readonly refusal: DomainError | null
}

interface Row {
  readonly id: string
  readonly board_id: string
  readonly archived: boolean
  readonly spec_id: string | null
}

/**
 * The cards and specs of a board named by references or ids, each once.
 * @throws DomainError VALIDATION_ERROR
 */
export async function recordsNamed(db: Db, board: string, names: readonly string[]): Promise<CoveredRecords> {
  if (names.length === 0) return { records: [], refusal: null }
  const keys = await keysOf(db, board)
  const own = (name: string): number | undefined => {
    const reference = parseReference(name)
    return reference !== undefined && keys.has(reference.key) ? reference.number : undefined
  }
  const numbers = new Set(names.flatMap(name => own(name) ?? []))
  const numbered = await recordsByNumber(db, board, [...numbers])
  const ids = names.map(name => numbered.find(({ number }) => number === own(name))?.id ?? name)
  const rows = new Map<string, CoveredRecord & { readonly refusal: DomainError | null }>()
  for (const row of await rowsWith(db, 'cards', board, ids))
    rows.set(row.id, { type: 'card', id: row.id, refusal: archivedCard(row) })
  for (const row of await rowsWith(db, 'specs', board, ids))
    rows.set(row.id, { type: 'spec', id: row.id, refusal: archivedRefusal({ ...row, type: 'spec' }) })
  const unknown = names.filter((_, at) => !rows.has(ids[at]!)).map(name => name.slice(0, 100))
  if (unknown.length > 0)
    throw invalid('for', `for must name cards and specs of this board. Unknown: ${unknown.join(', ')}.`, { unknown })
  return {
    records: [...rows.values()].map(({ type, id }) => ({ type, id })),
    refusal: [...rows.values()].find(({ refusal }) => refusal !== null)?.refusal ?? null,
  }
}

async function rowsWith(db: Db, table: 'cards' | 'specs', board: string, ids: readonly string[]): Promise<Row[]> {
  const spec = table === 'cards' ? sql.ref('spec_id') : sql`null`
  const { rows } = await sql<
    Omit<Row, 'archived'> & { archived: Flag }
  >`select id, board_id, archived, ${spec} as spec_id
    from ${sql.table(table)} where board_id = ${board} and ${dialect.inList(sql.ref('id'), sql.val(JSON.stringify(ids)))}`.execute(
    db,
  )
  return rows.map(row => ({ ...row, archived: row.archived === 1 }))
}
