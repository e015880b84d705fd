import type { Context } from '../../kernel/context.ts'
import { invalid } from '../../kernel/errors.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import type { Diagram } from '../../schema/contents.ts'
import type { OnBoard } from '../../schema/same-board.ts'
import type { Design, Parent } from './design.ts'
import { readDesigns, readPayloads } from './store.ts'
import { createDesign, type PayloadWrite, saveDesign } from './write.ts'

const modes: Readonly<Record<string, boolean>> = { copy: true, derive: true, reference_only: false, none: false }

/**
 * Whether a propagation mode copies designs (A.9).
 * @throws DomainError VALIDATION_ERROR for an unknown mode
 */
export function copiesDesigns(mode: string): boolean {
  if (Object.hasOwn(modes, mode)) return modes[mode]!
  throw invalid('architecture_propagation_mode', `The mode must be one of ${Object.keys(modes).join(', ')}.`, {
    allowed: Object.keys(modes),
  })
}

/** The ids that do not belong to designs of the record. */
export async function unknownDesigns(ctx: Context, parent: OnBoard, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return []
  const own = new Set((await readDesigns(ctx.db, parent)).map(design => design.id))
  return ids.filter(id => !own.has(id))
}

/**
 * Copies designs of one record to another of the same board, with their payloads. An existing copy is synced with its
 * source instead, and keeps its version when nothing differs (A.9).
 * @param ids the designs to copy; null for all
 * @param action the action of the copies' activity entries; null for none, when they are part of a derived record
 * (ideation 9)
 * @returns the copies, in the list order of their sources
 */
export async function copyDesigns(
  ctx: Context,
  from: Parent,
  to: Parent,
  ids: readonly string[] | null = null,
  action: 'architecture_copied' | null = 'architecture_copied',
): Promise<Design[]> {
  const selection = ids === null ? null : new Set(ids)
  const sources = (await readDesigns(ctx.db, { id: from.id, board_id: ctx.boardId })).filter(
    source => selection === null || selection.has(source.id),
  )
  if (sources.length === 0) return []
  const present = new Map(
    (await readDesigns(ctx.db, { id: to.id, board_id: ctx.boardId }))
      .map(design => [design.source_ref, design] as const)
      .toReversed(),
  )
  const copies: Design[] = []
  for (const source of sources) {
    const copy = present.get(sourceRef(source))
    const payloads = await readPayloads(ctx.db, source)
    const result = copiedDiagrams(source.diagrams, payloads, copy?.diagrams ?? [], () => ctx.newId())
    const fields = { ...copiedFields(source), diagrams: result.diagrams }
    if (copy === undefined) {
      const now = ctx.now()
      const design: Design = {
        id: ctx.newId(),
        ref: (await nextPartRef(ctx.db, { id: to.id, board: source.board_id }, 'd')).ref,
        board_id: source.board_id,
        parent_type: to.type,
        parent_id: to.id,
        ...fields,
        version: 1,
        rev: 1,
        created_by: ctx.caller.id,
        created_at: now,
        updated_at: now,
      }
      await createDesign(ctx, design, result.payloads, action)
      copies.push(design)
    } else {
      const summary = `synced with ${source.parent_type}`
      copies.push(await saveDesign(ctx, copy, { ...copy, ...fields }, result.payloads, summary, action))
    }
  }
  return copies
}

const sourceRef = (source: Design) => `architecture_design:${source.id}`

/** The fields that a copy takes from its source. */
const copiedFields = (source: Design) => ({
  title: source.title,
  global_description: source.global_description,
  entities: source.entities,
  interfaces: source.interfaces,
  source_ref: sourceRef(source),
  source_version: source.version,
  source_design_id: source.id,
  stale: false,
  breaking_change_flag: false,
  requires_arch_review: false,
})

/**
 * The diagrams of a copy, each with its own payload where the source has one. A diagram that the copy already had keeps
 * its ref, and equal payloads are not written again.
 */
export function copiedDiagrams(
  sources: readonly Diagram[],
  contents: ReadonlyMap<string, PayloadWrite['content']>,
  present: readonly Diagram[],
  newId: () => string,
): { diagrams: Diagram[]; payloads: PayloadWrite[] } {
  const payloads: PayloadWrite[] = []
  const presentById = new Map(present.map(diagram => [diagram.id, diagram]))
  const diagrams = sources.map(source => {
    const own = presentById.get(source.id)
    const content = source.adapter_payload_ref === null ? undefined : contents.get(source.id)
    const ref = content === undefined ? null : (own?.adapter_payload_ref ?? newId())
    if (ref !== null && content !== undefined && own?.content_hash !== source.content_hash)
      payloads.push({ ref, diagramId: source.id, content })
    return {
      ...source,
      adapter_payload_ref: ref,
      source_diagram_id: source.id,
      source_payload_ref: source.adapter_payload_ref,
    }
  })
  return { diagrams, payloads }
}
