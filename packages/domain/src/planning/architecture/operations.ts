import type { ArchitectureCreate, ArchitectureUpdate } from '@specboard/contract'
import { ArchitectureDiagramInput, ArchitectureEntity, ArchitectureInterface, features } from '@specboard/contract'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { DomainError, invalid, notFound } from '../../kernel/errors.ts'
import { type Implementation, implement } from '../../kernel/implement.ts'
import { type Page, pageOf } from '../../kernel/page.ts'
import { nextPartRef } from '../../kernel/parts.ts'
import { withLists } from '../../kernel/sent-lists.ts'
import { parseJson } from '../../lib/json.ts'
import type { Diagram } from '../../schema/contents.ts'
import { copyDesigns, unknownDesigns } from './copy.ts'
import { critiqueOfDraft, refuseFaulty } from './critique/critique.ts'
import { answered, type Design, diagramOf, type Parent } from './design.ts'
import { listDiagrams, newDiagramId, withPayload } from './diagrams.ts'
import { diffVersions } from './diff.ts'
import { refuseUnlessMutable, refuseUnlessParentMutable } from './parents.ts'
import { listVersions, readDesign, readFormerPayload, readPayload, readPayloads, readVersions } from './store.ts'
import { listDesigns } from './summaries.ts'
import { createDesign, type PayloadWrite, recordDesign, saveDesign } from './write.ts'

type Architecture = typeof features.architecture
type Answer = ReturnType<typeof answered>
type UpdateBody = z.output<typeof ArchitectureUpdate>

const answerOf = async ({ db }: Context, design: Design): Promise<Answer> =>
  answered(design, await listVersions(db, design))

const listOf = (
  { query }: { readonly query: { limit?: number | undefined; offset?: number | undefined } },
  ctx: Context,
) => listDesigns(ctx.db, ctx.target, query)

/** Creates a design on the addressed record. */
const createOn =
  (type: Parent['type']) =>
  async ({ body }: { readonly body: z.output<typeof ArchitectureCreate> }, ctx: Context): Promise<Answer> => {
    await refuseUnlessMutable(ctx, ctx.target)
    const inputs = body.diagrams ?? []
    const { diagrams, payloads } = listDiagrams(inputs, [], () => ctx.newId())
    const now = ctx.now()
    const { ref } = await nextPartRef(ctx.db, { id: ctx.target.id, board: ctx.boardId }, 'd')
    const design: Design = {
      id: ctx.newId(),
      ref,
      board_id: ctx.boardId,
      parent_type: type,
      parent_id: ctx.target.id,
      title: body.title,
      global_description: body.global_description,
      entities: body.entities ?? [],
      interfaces: body.interfaces ?? [],
      diagrams,
      version: 1,
      rev: 1,
      source_ref: body.source_ref ?? null,
      source_version: body.source_version ?? null,
      source_design_id: body.source_design_id ?? null,
      stale: body.stale ?? false,
      breaking_change_flag: body.breaking_change_flag ?? false,
      requires_arch_review: body.requires_arch_review ?? false,
      created_by: ctx.caller.id,
      created_at: now,
      updated_at: now,
    }
    refuseFaultyDesign(design, index => inputs[index]?.adapter_payload)
    await createDesign(ctx, design, payloads)
    return answerOf(ctx, design)
  }

const validateArchitecture: Implementation<Architecture['validate_architecture']> = async ({ body }) =>
  critiqueOfDraft({
    ...body,
    entities: body.entities ?? [],
    interfaces: body.interfaces ?? [],
    diagrams: body.diagrams ?? [],
  })

const getArchitecture: Implementation<Architecture['get_architecture']> = async ({ params, query }, ctx) => {
  const design = await readDesign(ctx.db, params.design_id)
  const versions = await listVersions(ctx.db, design)
  if (!query.include_payloads) return answered(design, versions)
  const contents = await readPayloads(ctx.db, design)
  return answered(design, versions, new Map([...contents].map(([diagram, content]) => [diagram, parseJson(content)])))
}

/** Parts of a design that updates can send. */
const parts = { entities: ArchitectureEntity, interfaces: ArchitectureInterface, diagrams: ArchitectureDiagramInput }

/**
 * The body of an update with its lists as they will be stored; a diagram whose content is sent gets its format from it.
 */
function sentDesign(before: Design, body: UpdateBody) {
  const stored = before.diagrams.map(diagram => sentForm(diagram))
  const { diagrams, ...fields } = withLists({ ...before, diagrams: stored }, body, parts)
  const inputs = new Map((body.diagrams ?? []).map(diagram => [diagram.id, diagram]))
  const result = diagrams?.map(({ format, ...diagram }) => {
    const input = inputs.get(diagram.id)
    return input?.adapter_payload != null && input.format === undefined
      ? diagram
      : { ...diagram, ...(format && { format }) }
  })
  return { ...fields, ...(diagrams !== undefined && { diagrams: result ?? null }) }
}

/** A stored diagram in the form in which an update that changes nothing would send it. */
const sentForm = ({ adapter_payload_ref: _, content_hash: __, size_bytes: ___, ...diagram }: Diagram) => diagram

const updateArchitecture: Implementation<Architecture['update_architecture']> = async ({ params, body }, ctx) => {
  const before = await readDesign(ctx.db, params.design_id)
  await refuseUnlessParentMutable(ctx, before)
  const { change_summary, diagrams: inputs, entities, interfaces, ...fields } = sentDesign(before, body)
  const listed = inputs === undefined ? undefined : listDiagrams(inputs ?? [], before.diagrams, () => ctx.newId())
  const after: Design = {
    ...before,
    ...fields,
    ...(entities !== undefined && { entities: entities ?? [] }),
    ...(interfaces !== undefined && { interfaces: interfaces ?? [] }),
    ...(listed !== undefined && { diagrams: listed.diagrams }),
  }
  refuseFaultyDesign(after, index => inputs?.[index]?.adapter_payload)
  return answerOf(ctx, await saveDesign(ctx, before, after, listed?.payloads ?? [], change_summary ?? 'updated'))
}

const deleteArchitecture: Implementation<Architecture['delete_architecture']> = async ({ params }, ctx) => {
  const design = await readDesign(ctx.db, params.design_id)
  await refuseUnlessParentMutable(ctx, design)
  await ctx.db.deleteFrom('architecture_designs').where('id', '=', design.id).execute()
  await recordDesign(ctx, design, 'architecture_deleted')
}

const getDiagramPayload: Implementation<Architecture['get_diagram_payload']> = async ({ params, query }, ctx) => {
  const design = await readDesign(ctx.db, params.design_id)
  const { version = design.version } = query
  const [snapshot] =
    version === design.version ? [design] : (await readVersions(ctx.db, design, version, version)).values()
  if (snapshot === undefined) throw notFound('architecture_version', String(version))
  const { format, content_hash, size_bytes, id } = diagramOf(snapshot, params.diagram_id)
  const content = await contentOf(ctx, design, id, content_hash)
  if (content === undefined || content_hash === null || size_bytes === null) throw notFound('diagram_payload', id)
  return { design_id: design.id, diagram_id: id, format, content_hash, size_bytes, payload: parseJson(content) }
}

/** The content of a diagram with this hash: its current content, or that of a former version. */
function contentOf({ db }: Context, design: Design, diagramId: string, hash: string | null) {
  const isCurrent = design.diagrams.some(({ id, content_hash }) => id === diagramId && content_hash === hash)
  return isCurrent ? readPayload(db, design, diagramId) : readFormerPayload(db, design.id, diagramId, hash ?? '')
}

const putDiagramPayload: Implementation<Architecture['put_diagram_payload']> = async ({ params, body }, ctx) => {
  const before = await readDesign(ctx.db, params.design_id)
  await refuseUnlessParentMutable(ctx, before)
  const stored = diagramOf(before, params.diagram_id)
  const described = { ...stored, format: body.format ?? stored.format }
  const { diagram, payload } = withPayload(described, body.payload, () => ctx.newId())
  const summary = body.change_summary ?? `payload of ${diagram.id} replaced`
  return saveDiagram(ctx, before, diagram, payload, body.payload, summary)
}

const importExcalidraw: Implementation<Architecture['import_excalidraw_diagram']> = async ({ params, body }, ctx) => {
  const before = await readDesign(ctx.db, params.design_id)
  await refuseUnlessParentMutable(ctx, before)
  const { payload: scene, replace_diagram_id, change_summary, ...fields } = body
  const described: Diagram = {
    ...(replace_diagram_id == null ? emptyDiagram(ctx, before) : diagramOf(before, replace_diagram_id)),
    ...fields,
    format: 'excalidraw_json',
  }
  const { diagram, payload } = withPayload(described, scene, () => ctx.newId())
  return saveDiagram(ctx, before, diagram, payload, scene, change_summary ?? 'scene imported')
}

const diffArchitecture: Implementation<Architecture['diff_architecture']> = async ({ params, query }, ctx) => {
  const { from_version, to_version } = query
  const versions = await readVersions(ctx.db, ctx.target, from_version, to_version)
  const version = (number: number) => {
    const found = versions.get(number)
    if (found === undefined) throw notFound('architecture_version', String(number))
    return found
  }
  return {
    design_id: params.design_id,
    from_version,
    to_version,
    ...diffVersions(version(from_version), version(to_version)),
  }
}

const copyToCard: Implementation<Architecture['copy_architecture_to_card']> = async ({ body }, ctx) => {
  const { card_id: card, spec_id: spec } = ctx.records as Record<'card_id' | 'spec_id', Context['target']>
  if (card.board_id !== spec.board_id)
    throw invalid('spec_id', 'The spec and the card are on different boards. Copy from a spec of the card’s board.')
  await refuseUnlessMutable(ctx, card)
  const ids = body.design_ids ?? null
  const missing = await unknownDesigns(ctx, spec, ids ?? [])
  if (missing.length > 0)
    throw new DomainError('NOT_FOUND', `The spec has no designs ${missing.join(', ')}. Copy designs that it lists.`, {
      entity_type: 'architecture_design',
      entity_id: missing[0],
      missing,
    })
  const copies = await copyDesigns(ctx, { type: 'spec', id: spec.id }, { type: 'card', id: card.id }, ids)
  const answers: Answer[] = []
  for (const copy of copies) answers.push(await answerOf(ctx, copy))
  return pageOf(answers, {}) satisfies Page<Answer>
}

/** Refuses a design with blocking issues; `payloadAt` gives the payloads of the request by the index of the diagram. */
const refuseFaultyDesign = (design: Design, payloadAt: (index: number) => unknown): void =>
  refuseFaulty({
    ...design,
    diagrams: design.diagrams.map((diagram, index) => ({ ...diagram, adapter_payload: payloadAt(index) })),
  })

/** Stores a design with one changed diagram, or with a new one at the end. */
async function saveDiagram(
  ctx: Context,
  before: Design,
  diagram: Diagram,
  payloads: readonly PayloadWrite[],
  payload: unknown,
  summary: string,
): Promise<Answer> {
  const isStored = before.diagrams.some(stored => stored.id === diagram.id)
  const diagrams = isStored
    ? before.diagrams.map(stored => (stored.id === diagram.id ? diagram : stored))
    : [...before.diagrams, diagram]
  const after = { ...before, diagrams }
  refuseFaultyDesign(after, index => (diagrams[index] === diagram ? payload : undefined))
  return answerOf(ctx, await saveDesign(ctx, before, after, payloads, summary))
}

const emptyDiagram = (ctx: Context, design: Design): Omit<Diagram, 'title' | 'format'> => ({
  id: newDiagramId(new Set(design.diagrams.map(diagram => diagram.id)), () => ctx.newId()),
  diagram_type: 'other',
  description: null,
  order_index: 0,
  preview_ref: null,
  render_metadata: null,
  source_diagram_id: null,
  source_payload_ref: null,
  adapter_payload_ref: null,
  content_hash: null,
  size_bytes: null,
})

export const architectureOperations = implement(features.architecture, {
  list_ideation_architecture: listOf,
  create_ideation_architecture: createOn('ideation'),
  list_refinement_architecture: listOf,
  create_refinement_architecture: createOn('refinement'),
  list_spec_architecture: listOf,
  create_spec_architecture: createOn('spec'),
  list_card_architecture: listOf,
  create_card_architecture: createOn('card'),
  validate_architecture: validateArchitecture,
  get_architecture: getArchitecture,
  update_architecture: updateArchitecture,
  delete_architecture: deleteArchitecture,
  get_diagram_payload: getDiagramPayload,
  put_diagram_payload: putDiagramPayload,
  import_excalidraw_diagram: importExcalidraw,
  diff_architecture: diffArchitecture,
  copy_architecture_to_card: copyToCard,
})
