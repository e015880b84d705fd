import type { ExpressionBuilder } from 'kysely'
import { parseJson } from '../json.ts'
import { dialect } from '../storage/dialect.ts'
import type { ArchitectureDesignsTable, Schema } from '../storage/schema.ts'

type SummaryRow = Omit<
  ArchitectureDesignsTable,
  'global_description' | 'entities' | 'interfaces' | 'source_design_id' | 'created_by'
>

/** The design summaries of a record, oldest first, as one JSON column. */
export const withDesigns = (eb: ExpressionBuilder<Schema, keyof Schema>, parentId: string) =>
  dialect.jsonArrayFrom(
    eb
      .selectFrom('architecture_designs as design')
      .select([
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
      ])
      .whereRef('design.parent_id', '=', parentId as never)
      .orderBy('design.created_at')
      .orderBy('design.id'),
  )

/** A row as ArchitectureDesignSummary (insight A.2). */
export function designSummaryOf(row: SummaryRow) {
  const { diagrams, stale, breaking_change_flag, requires_arch_review, ...fields } = row
  const listed = parseJson<{ adapter_payload_ref: string | null }[]>(diagrams)
  return {
    ...fields,
    stale: stale === 1,
    breaking_change_flag: breaking_change_flag === 1,
    requires_arch_review: requires_arch_review === 1,
    diagrams_count: listed.length,
    adapter_payload_refs: listed.flatMap(diagram => diagram.adapter_payload_ref ?? []),
  }
}
