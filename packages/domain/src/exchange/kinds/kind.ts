import type { Table } from '../../schema/table.ts'
import type { TableName } from '../../schema/tables/all.ts'
import { type Column, columnsOf } from './columns.ts'

/** A kind of record of an archive: where it is stored, and its columns in the order of a line. */
export interface Kind {
  readonly type: RecordType
  readonly table: TableName
  readonly columns: Readonly<Record<string, Column>>
  /** Columns that only make sense together: a later import changes all of them or none. */
  readonly together?: readonly (readonly string[])[]
}

/** The kinds of record in the order of an archive (exchange 1); the board is the first line. */
export const recordTypes = [
  'board',
  'guideline',
  'ideation',
  'refinement',
  'spec',
  'sprint',
  'card',
  'question',
  'knowledge',
  'comment',
  'attachment',
  'architecture',
  'snapshot',
  'spec_validation',
  'task_validation',
  'dependency',
  'saved_search',
  'template',
  'graph_action',
  'history',
  'external_id',
  'repository',
  'change',
  'change_link',
  'author',
  'test_report',
  'proof_run',
  'scenario_result',
  'waiver',
  'done_tier',
] as const

export type RecordType = (typeof recordTypes)[number]

/** A kind of record, from the literal of its table. */
export const kind = (
  table: Table<TableName>,
  { columns, ...more }: Pick<Kind, 'together'> & { readonly columns: Parameters<typeof columnsOf>[1] },
): Kind => ({ type: table.archived as RecordType, table: table.name, columns: columnsOf(table, columns), ...more })
