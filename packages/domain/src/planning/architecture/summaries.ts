import { dialect } from '@specboard/storage'
import { expressionBuilder, sql } from 'kysely'
import { type Page, type Paging, paged, window } from '../../kernel/page.ts'
import { parseJson } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { designRef } from '../../schema/refs.ts'
import { type OnBoard, onBoard, sameBoard } from '../../schema/same-board.ts'
import type { ArchitectureDesignsTable, Schema } from '../../schema/tables.ts'

/** A row with the columns of a summary. */
export type DesignSummaryRow = Omit<
  ArchitectureDesignsTable,
  'global_description' | 'entities' | 'interfaces' | 'source_design_id' | 'rev' | 'created_by' | 'number'
> & { readonly ref: string }

const summaryColumns = [
  'design.id',
  'design.board_id',
  'design.parent_type',
  'design.parent_id',
  'design.title',
  'design.version',
  'design.source_ref',
  'design.source_version',
  'design.stale',
  'design.breaking_change_flag',
  'design.requires_arch_review',
  'design.diagrams',
  'design.created_at',
  'design.updated_at',
] as const

/** The design summaries of a parent record, oldest first, as one JSON column. */
export const withDesigns = (parent: string) =>
  dialect.jsonArrayFrom(
    expressionBuilder<Schema>()
      .selectFrom('architecture_designs as design')
      .select([...summaryColumns, designRef('design').as('ref')])
      .where('design.parent_id', '=', sql.ref<string>(`${parent}.id`))
      .where(sameBoard('design', parent))
      .orderBy('design.created_at')
      .orderBy('design.id'),
  )

/** A row as ArchitectureDesignSummary (insight A.2). */
export function designSummaryOf(row: DesignSummaryRow) {
  const { diagrams, stale, breaking_change_flag, requires_arch_review, ...fields } = row
  const listed = parseJson(diagrams)
  return {
    ...fields,
    stale: stale === 1,
    breaking_change_flag: breaking_change_flag === 1,
    requires_arch_review: requires_arch_review === 1,
    diagrams_count: listed.length,
    adapter_payload_refs: listed.flatMap(diagram => diagram.adapter_payload_ref ?? []),
  }
}

const listed = hot<OnBoard & { limit: number; offset: number }, DesignSummaryRow>((db, param) =>
  db
    .selectFrom('architecture_designs as design')
    .select([...summaryColumns, designRef('design').as('ref')])
    .where('design.parent_id', '=', param('id'))
    .where(onBoard('design', param('board_id')))
    .orderBy('design.updated_at', 'desc')
    .orderBy('design.title')
    .orderBy('design.id')
    .limit(param('limit'))
    .offset(param('offset')),
)

const counted = hot<OnBoard, { count: number }>((db, param) =>
  db
    .selectFrom('architecture_designs')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('parent_id', '=', param('id'))
    .where(onBoard('architecture_designs', param('board_id'))),
)

/** The designs of a record, last changed first, then by title and id (A.3). */
export async function listDesigns(
  db: Db,
  { id, board_id }: OnBoard,
  paging: Paging,
): Promise<Page<ReturnType<typeof designSummaryOf>>> {
  const rows = await listed(db, { id, board_id, ...window(paging) })
  return paged(rows, paging, async () => (await counted(db, { id, board_id }))[0]!.count, designSummaryOf)
}
