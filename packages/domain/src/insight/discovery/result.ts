import type { DiscoveryResult, DiscoveryRow } from '@specboard/contract'
import type { z } from 'zod'
import { refsOf } from '../../kernel/references.ts'
import type { Db } from '../../schema/database.ts'

/** A row of a result (planning 4.2). */
export type Row = z.input<typeof DiscoveryRow>

/** The result of a question: its rows, and the rest of its answer. */
export interface QuestionResult
  extends Pick<z.input<typeof DiscoveryResult>, 'summary' | 'message' | 'active_sprint_ids' | 'warning'> {
  readonly rows: Row[]
  /** How many rows were found before the question's cap; defaults to the length of `rows`. */
  readonly total?: number
}

/** The record that a row links to. */
export interface Entity {
  readonly type: NonNullable<Row['meta']['entity_type']>
  readonly id: string
  readonly title: string
}

/** Rows with the reference of the record that each links to (work 1). */
export async function withRefs(db: Db, rows: readonly Row[]): Promise<Row[]> {
  const refs = await refsOf(
    db,
    rows.flatMap(({ meta }) => meta.entity_id ?? []),
  )
  return rows.map(row => ({ ...row, meta: { ...row.meta, ref: refs.get(row.meta.entity_id ?? '') ?? null } }))
}

/** The members that every `meta` has. */
export const leadingTo = (entity: Entity | null) => ({
  entity_type: entity?.type ?? null,
  entity_id: entity?.id ?? null,
  entity_title: entity?.title ?? null,
})
