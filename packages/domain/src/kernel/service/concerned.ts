import { type AnyOperation, isReading, type OperationName } from '@specboard/contract'
import { sql } from 'kysely'
import type { Db } from '../../schema/database.ts'
import type { Address, RecordType } from '../access/records.ts'
import type { AnyInput } from '../implement.ts'

/** Links between records that an import does not touch could close a cycle with those that it brings. */
const linking: ReadonlySet<OperationName> = new Set(['add_card_dependency'])

/** The columns that name what a record belongs to, by kind; a kind that is left out has none. */
const owners: Partial<Record<RecordType, { readonly table: string; readonly columns: readonly string[] }>> = {
  refinement: { table: 'refinements', columns: ['ideation_id'] },
  spec: { table: 'specs', columns: ['ideation_id', 'refinement_id'] },
  sprint: { table: 'sprints', columns: ['spec_id'] },
  card: { table: 'cards', columns: ['spec_id', 'sprint_id', 'origin_task_id'] },
  comment: { table: 'comments', columns: ['card_id'] },
  question: { table: 'questions', columns: ['owner_id'] },
  architecture_design: { table: 'architecture_designs', columns: ['parent_id'] },
}

/**
 * Whether a call could show or disturb part of what an import is putting in place (exchange 1.3). Every read could, and
 * every write about a board as a whole. A write that changes or creates a record could if it names a record that the
 * import touches, or if its record belongs to one, waits for one or is waited for by one.
 */
export async function isConcerned(
  db: Db,
  operation: AnyOperation,
  input: AnyInput,
  { target, records }: Address,
  touched: ReadonlySet<string>,
): Promise<boolean> {
  if (isReading(operation) || linking.has(operation.name as OperationName) || target === null) return true
  if (target.type === 'board' && operation.status !== 201) return true
  if (names(input, touched)) return true
  for (const record of Object.values(records))
    if ((await neighboursOf(db, record)).some(id => touched.has(id))) return true
  return false
}

/** Whether a text at any depth of a value is one of the given ids. */
function names(value: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof value === 'string') return ids.has(value)
  return typeof value === 'object' && value !== null && Object.values(value).some(part => names(part, ids))
}

async function neighboursOf(
  db: Db,
  { type, id }: { readonly type: RecordType; readonly id: string },
): Promise<string[]> {
  const owner = owners[type]
  if (owner === undefined) return []
  const columns = owner.columns.map(
    name => sql<{ id: string | null }>`select ${sql.ref(name)} as id from ${sql.table(owner.table)} where id = ${id}`,
  )
  const links =
    type === 'card'
      ? [
          sql<{ id: string }>`select depends_on_id as id from card_dependencies where card_id = ${id}`,
          sql<{ id: string }>`select card_id as id from card_dependencies where depends_on_id = ${id}`,
        ]
      : []
  const { rows } = await sql<{ id: string | null }>`${sql.join([...columns, ...links], sql` union all `)}`.execute(db)
  return rows.flatMap(row => (row.id === null ? [] : [row.id]))
}
