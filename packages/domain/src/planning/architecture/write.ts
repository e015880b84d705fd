import { changedFields } from '../../kernel/changes.ts'
import type { Context } from '../../kernel/context.ts'
import { toJson } from '../../lib/json.ts'
import type { Change, Diagram } from '../../schema/contents.ts'
import { insertRow, updateRow } from '../../schema/rows.ts'
import { changesSemantics, type Design, envelopeOf, sameDesign } from './design.ts'
import type { Payload } from './payload.ts'
import { columnsOf, keepFormerPayloads, markStale, removePayloads, storePayload } from './store.ts'

/** A payload to write, with its ref and diagram. */
export interface PayloadWrite {
  readonly ref: string
  readonly diagramId: string
  readonly content: Payload['content']
}

type Action = 'architecture_created' | 'architecture_updated' | 'architecture_deleted' | 'architecture_copied'

/**
 * Stores a new design as version 1, with its payloads.
 * @param action the action of its activity entry; null for none
 */
export async function createDesign(
  ctx: Context,
  design: Design,
  payloads: readonly PayloadWrite[],
  action: Action | null = 'architecture_created',
): Promise<void> {
  await insertRow(ctx.db, 'architecture_designs', columnsOf(design))
  await storePayloads(ctx, design, payloads)
  await keepVersion(ctx, design, 'created')
  if (action !== null) await recordDesign(ctx, design, action)
}

/**
 * Stores a changed design as its next version; does nothing when it equals the stored one (A.7). Its copies become
 * stale when the change affects the described system.
 */
export async function saveDesign(
  ctx: Context,
  before: Design,
  draft: Design,
  payloads: readonly PayloadWrite[],
  changeSummary: string,
  action: Action | null = 'architecture_updated',
): Promise<Design> {
  if (sameDesign(before, draft)) return before
  const after: Design = { ...draft, version: before.version + 1, rev: before.rev + 1, updated_at: ctx.now() }
  const { id, ...columns } = columnsOf(after)
  await updateRow(ctx.db, 'architecture_designs', id, columns)
  await keepFormerPayloads(ctx.db, before, replacedDiagrams(before, after))
  await removePayloads(ctx.db, before.board_id, droppedPayloads(before, after))
  await storePayloads(ctx, after, payloads)
  await keepVersion(ctx, after, changeSummary)
  if (changesSemantics(before, after)) await markStale(ctx.db, after)
  if (action !== null)
    await recordDesign(ctx, after, action, {
      changeSummary,
      semantic: changesSemantics(before, after),
      changes: changedFields({ ...envelopeOf(before) }, { ...envelopeOf(after) }),
    })
  return after
}

/** The diagrams of a design whose content changes or is removed. */
export function replacedDiagrams(before: Design, after: Design): Diagram[] {
  const hashes = new Map(after.diagrams.map(({ id, content_hash }) => [id, content_hash]))
  return before.diagrams.filter(({ id, content_hash }) => !hashes.has(id) || hashes.get(id) !== content_hash)
}

/** The refs of the payloads that a design no longer uses. */
export function droppedPayloads(before: Design, after: Design): string[] {
  const refs = new Set(after.diagrams.map(({ adapter_payload_ref }) => adapter_payload_ref))
  return before.diagrams.flatMap(({ adapter_payload_ref: ref }) => (ref === null || refs.has(ref) ? [] : [ref]))
}

async function storePayloads(ctx: Context, design: Design, payloads: readonly PayloadWrite[]): Promise<void> {
  for (const { ref, diagramId, content } of payloads)
    await storePayload(ctx.db, {
      id: ref,
      board_id: design.board_id,
      design_id: design.id,
      diagram_id: diagramId,
      content,
    })
}

const keepVersion = (ctx: Context, design: Design, changeSummary: string): Promise<void> =>
  insertRow(ctx.db, 'architecture_versions', {
    id: ctx.newId(),
    board_id: design.board_id,
    design_id: design.id,
    version: design.version,
    content: toJson(envelopeOf(design)),
    change_summary: changeSummary,
    created_by: ctx.caller.id,
    created_at: ctx.now(),
  })

/** What an entry about a design contains besides its action. */
interface DesignEntry {
  readonly changeSummary?: string
  readonly semantic?: boolean
  readonly changes?: readonly Change[]
}

/** Appends an activity entry about a design, with the domain event that its parent changed, for the knowledge graph. */
export function recordDesign(
  ctx: Context,
  { id, board_id, parent_type, parent_id, title, version }: Design,
  action: Action,
  { changeSummary, semantic = true, changes }: DesignEntry = {},
): Promise<void> {
  return ctx.record({
    boardId: board_id,
    entity: { type: 'architecture_design', id },
    activity: {
      action,
      details: {
        design_id: id,
        parent_type,
        parent_id,
        title,
        version,
        ...(changeSummary !== undefined && { change_summary: changeSummary }),
      },
    },
    cardId: parent_type === 'card' ? parent_id : null,
    ...(changes !== undefined && { changes }),
    ...(semantic && { domain: [{ name: action.replace('_', '.'), design_id: id, parent_type, parent_id }] }),
  })
}
