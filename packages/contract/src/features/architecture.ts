/** Architecture (insight A). */
import { z } from 'zod'
import { inForm } from '../forms.ts'
import { list } from '../limits.ts'
import { operation } from '../operation.ts'
import { listMembers, sentItem } from '../sent-items.ts'
import {
  ArchitectureDesignSummary,
  ExpectedRev,
  FreeArray,
  FreeObject,
  Id,
  inOneLine,
  PartRef,
  paging,
  Rev,
  Text,
  Timestamp,
  Title,
} from '../shared.ts'
import { shownAs, toolHints } from '../tool-hints.ts'

export const DiagramType = z.enum(['context', 'container', 'component', 'sequence', 'deployment', 'data_flow', 'other'])
export const DiagramFormat = z.enum(['excalidraw_json', 'mermaid', 'plantuml', 'c4', 'svg', 'raw'])

/** A text that a caller may leave out or set to null: stored as null. */
const optionalText = Text.default(null)
const texts = list(z.string()).default([])
const optionalObject = FreeObject.nullable().default(null)
/** A name whose length the schema checks; the critique checks that it is not blank (A.4). */
const PartName = z.string().min(1).max(255)

const DiagramTitle = PartName.overwrite(inOneLine)

/** A part of the system, in requests and responses (A.2). */
export const ArchitectureEntity = z
  .object({
    id: optionalText,
    name: PartName,
    entity_type: optionalText.describe('free category: api, database, queue, worker'),
    responsibility: optionalText,
    boundaries: optionalText,
    technologies: texts,
    relationships: texts,
    notes: optionalText,
  })
  .meta({ id: 'ArchitectureEntity' })

/** A connection between entities, in requests and responses (A.2). */
export const ArchitectureInterface = z
  .object({
    id: optionalText,
    name: PartName,
    endpoint: optionalText,
    description: optionalText,
    participants: texts.describe('two entities, by id or name'),
    direction: optionalText.describe('source_to_target, target_to_source, bidirectional, none'),
    protocol: optionalText,
    contract_type: optionalText,
    request_schema: optionalObject,
    response_schema: optionalObject,
    event_schema: optionalObject,
    error_contract: z
      .union([FreeObject, list(FreeObject), z.string()])
      .nullable()
      .default(null),
    schema_ref: optionalText,
    notes: optionalText,
  })
  .meta({ id: 'ArchitectureInterface' })

/** The content of a diagram: a scene, a list, or the text of a notation, whose bytes the critique limits (insight A.4). */
export const DiagramPayload = z.union([FreeObject, FreeArray, z.string().max(8 << 20)])

const diagramFields = {
  title: DiagramTitle,
  diagram_type: DiagramType.default('other'),
  description: optionalText,
  order_index: z.int().default(0),
  preview_ref: optionalText,
  render_metadata: optionalObject,
  source_diagram_id: optionalText,
  source_payload_ref: optionalText,
}

/** A diagram in requests. */
export const ArchitectureDiagramInput = z
  .object({
    id: z.string().max(80).nullable().exactOptional(),
    ...diagramFields,
    format: DiagramFormat.exactOptional(),
    adapter_payload: DiagramPayload.nullable().exactOptional(),
    adapter_payload_ref: Text.exactOptional().describe('null drops the stored payload'),
  })
  .meta({ id: 'ArchitectureDiagramInput' })

/** A diagram in responses; has the payload only on request. */
export const ArchitectureDiagram = z
  .object({
    id: z.string(),
    ...diagramFields,
    format: DiagramFormat,
    adapter_payload: DiagramPayload.nullable(),
    adapter_payload_ref: z.string().nullable(),
    content_hash: z.string().nullable(),
    size_bytes: z.int().nullable(),
  })
  .meta({ id: 'ArchitectureDiagram' })

const GlobalDescription = z.string().refine(text => text.trim() !== '', inForm('not_blank'))

const sources = { source_ref: Text, source_version: z.int().nullable(), source_design_id: Text }
const flags = { stale: z.boolean(), breaking_change_flag: z.boolean(), requires_arch_review: z.boolean() }

/** A version of a design (board 6). */
export const ArchitectureVersion = z
  .object({ version: z.int(), at: Timestamp, actor_name: z.string(), change_summary: z.string() })
  .meta({ id: 'ArchitectureVersion' })

export const ArchitectureDesign = z
  .object({
    id: Id,
    ref: PartRef,
    board_id: Id,
    parent_type: z.enum(['ideation', 'refinement', 'spec', 'card']),
    parent_id: Id,
    title: z.string(),
    global_description: z.string(),
    entities: z.array(ArchitectureEntity),
    interfaces: z.array(ArchitectureInterface),
    diagrams: z.array(ArchitectureDiagram),
    version: z.int(),
    rev: Rev,
    ...sources,
    ...flags,
    created_by: z.string(),
    created_at: Timestamp,
    updated_at: Timestamp,
    versions: z.array(ArchitectureVersion),
  })
  .meta({ id: 'ArchitectureDesign' })

const writable = {
  entities: list(ArchitectureEntity).nullable().exactOptional(),
  interfaces: list(ArchitectureInterface).nullable().exactOptional(),
  diagrams: list(ArchitectureDiagramInput).nullable().exactOptional(),
  // Copies set them: few calls need them.
  source_ref: sources.source_ref.exactOptional().register(toolHints, { hidden: true }),
  source_version: sources.source_version.exactOptional().register(toolHints, { hidden: true }),
  source_design_id: sources.source_design_id.exactOptional().register(toolHints, { hidden: true }),
  stale: flags.stale.exactOptional(),
  breaking_change_flag: flags.breaking_change_flag.exactOptional(),
  requires_arch_review: flags.requires_arch_review.exactOptional(),
}

export const ArchitectureCreate = z
  .object({ title: Title, global_description: GlobalDescription, ...writable })
  .meta({ id: 'ArchitectureCreate' })

const withoutId = { withoutId: true } as const

/** The parts of a design in updates: an absent member keeps its value (crew 1.2). */
const sentParts = {
  entities: shownAs(
    list(sentItem(ArchitectureEntity, 'ArchitectureEntityChange', withoutId))
      .nullable()
      .exactOptional(),
    'create_ideation_architecture',
  ),
  interfaces: shownAs(
    list(sentItem(ArchitectureInterface, 'ArchitectureInterfaceChange', withoutId))
      .nullable()
      .exactOptional(),
    'create_ideation_architecture',
  ),
  diagrams: shownAs(
    list(sentItem(ArchitectureDiagramInput, 'ArchitectureDiagramChange', withoutId))
      .nullable()
      .exactOptional(),
    'create_ideation_architecture',
  ),
}

const changeSummary = { change_summary: Text.exactOptional() }

export const ArchitectureUpdate = z
  .object({
    title: Title.exactOptional(),
    global_description: GlobalDescription.exactOptional(),
    ...writable,
    ...sentParts,
    ...changeSummary,
    ...listMembers,
    expected_rev: ExpectedRev,
  })
  .meta({ id: 'ArchitectureUpdate' })

export const ArchitectureDraft = z
  .object({
    title: Text.exactOptional(),
    global_description: Text.exactOptional(),
    entities: list(FreeObject).nullable().exactOptional(),
    interfaces: list(FreeObject).nullable().exactOptional(),
    diagrams: list(FreeObject).nullable().exactOptional(),
  })
  .meta({ id: 'ArchitectureDraft' })

export const ArchitectureReport = z
  .object({
    valid: z.boolean(),
    issues: z.array(z.string()),
    issues_total: z.int(),
    warnings: z.array(z.string()),
    warnings_total: z.int(),
    suggested_fixes: z.array(z.string()),
    summary: z.object({
      entities_count: z.int(),
      interfaces_count: z.int(),
      diagrams_count: z.int(),
      diagram_elements_count: z.int(),
      linked_entity_elements_count: z.int(),
      linked_interface_elements_count: z.int(),
    }),
  })
  .meta({ id: 'ArchitectureReport' })

export const DiagramPayloadPut = z
  .object({ payload: DiagramPayload, format: DiagramFormat.exactOptional(), ...changeSummary })
  .meta({ id: 'DiagramPayloadPut' })

export const StoredDiagramPayload = z
  .object({
    design_id: Id,
    diagram_id: z.string(),
    format: DiagramFormat,
    content_hash: z.string(),
    size_bytes: z.int(),
    payload: DiagramPayload,
  })
  .meta({ id: 'StoredDiagramPayload' })

export const ExcalidrawImport = z
  .object({
    title: DiagramTitle,
    payload: FreeObject.describe('a scene with its array elements'),
    diagram_type: DiagramType.default('other'),
    description: optionalText,
    order_index: z.int().default(0),
    replace_diagram_id: Text.exactOptional().describe('absent: a new diagram at the end'),
    ...changeSummary,
  })
  .meta({ id: 'ExcalidrawImport' })

const named = { added: z.array(z.string()), removed: z.array(z.string()), changed: z.array(z.string()) }

export const ArchitectureDiff = z
  .object({
    design_id: Id,
    from_version: z.int(),
    to_version: z.int(),
    changed_fields: z.array(z.enum(['title', 'global_description', 'entities', 'interfaces', 'diagrams'])),
    semantic_changes: z.array(
      z.union([
        z.object({ field: z.enum(['title', 'global_description']), from: z.string(), to: z.string() }),
        z.object({ field: z.enum(['entities', 'interfaces']), ...named }),
      ]),
    ),
    layout_changes: z.array(z.object({ field: z.literal('diagrams'), ...named })),
    breaking_change_flag: z.boolean(),
    requires_arch_review: z.boolean(),
  })
  .meta({ id: 'ArchitectureDiff' })

export const ArchitectureCopy = z
  .object({ design_ids: list(Id).nullable().exactOptional() })
  .meta({ id: 'ArchitectureCopy' })

const ideation = { ideation_id: Id }
const refinement = { refinement_id: Id }
const spec = { spec_id: Id }
const card = { card_id: Id }
const design = { design_id: Id }
const keywords = ['design', 'diagram', 'component']

const list_ideation_architecture = operation({
  name: 'list_ideation_architecture',
  method: 'GET',
  path: '/api/v1/ideations/{ideation_id}/architecture',
  permission: 'ARCHITECTURE_READ',
  title: 'List ideation architecture',
  description: 'List the designs of an ideation.',
  params: ideation,
  query: paging,
  list: ArchitectureDesignSummary,
  errors: [],
  keywords,
})

const create_ideation_architecture = operation({
  name: 'create_ideation_architecture',
  method: 'POST',
  path: '/api/v1/ideations/{ideation_id}/architecture',
  permission: 'ARCHITECTURE_CREATE',
  title: 'Create ideation architecture',
  description: 'Create an architecture design on an ideation.',
  params: ideation,
  body: ArchitectureCreate,
  response: ArchitectureDesign,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  keywords,
})

const list_refinement_architecture = operation({
  name: 'list_refinement_architecture',
  method: 'GET',
  path: '/api/v1/refinements/{refinement_id}/architecture',
  permission: 'ARCHITECTURE_READ',
  title: 'List refinement architecture',
  description: 'List the designs of a refinement.',
  params: refinement,
  query: paging,
  list: ArchitectureDesignSummary,
  errors: [],
  keywords,
})

const create_refinement_architecture = operation({
  name: 'create_refinement_architecture',
  method: 'POST',
  path: '/api/v1/refinements/{refinement_id}/architecture',
  permission: 'ARCHITECTURE_CREATE',
  title: 'Create refinement architecture',
  description: 'Create an architecture design on a refinement.',
  params: refinement,
  body: ArchitectureCreate,
  response: ArchitectureDesign,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  keywords,
})

const list_spec_architecture = operation({
  name: 'list_spec_architecture',
  method: 'GET',
  path: '/api/v1/specs/{spec_id}/architecture',
  permission: 'ARCHITECTURE_READ',
  title: 'List spec architecture',
  description: 'List the designs of a spec.',
  params: spec,
  query: paging,
  list: ArchitectureDesignSummary,
  errors: [],
  keywords,
})

const create_spec_architecture = operation({
  name: 'create_spec_architecture',
  method: 'POST',
  path: '/api/v1/specs/{spec_id}/architecture',
  permission: 'ARCHITECTURE_CREATE',
  title: 'Create spec architecture',
  description: 'Create an architecture design on a spec that is not locked.',
  params: spec,
  body: ArchitectureCreate,
  response: ArchitectureDesign,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'SPEC_LOCKED'],
  keywords,
})

const list_card_architecture = operation({
  name: 'list_card_architecture',
  method: 'GET',
  path: '/api/v1/cards/{card_id}/architecture',
  permission: 'ARCHITECTURE_READ',
  title: 'List card architecture',
  description: 'List the designs of a card.',
  params: card,
  query: paging,
  list: ArchitectureDesignSummary,
  errors: [],
  keywords,
})

const create_card_architecture = operation({
  name: 'create_card_architecture',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/architecture',
  permission: 'ARCHITECTURE_CREATE',
  title: 'Create card architecture',
  description: 'Create an architecture design on a card.',
  params: card,
  body: ArchitectureCreate,
  response: ArchitectureDesign,
  status: 201,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  keywords,
})

const validate_architecture = operation({
  name: 'validate_architecture',
  method: 'POST',
  path: '/api/v1/architecture/validate',
  permission: 'ARCHITECTURE_READ',
  title: 'Validate architecture',
  description: 'Check a design before it is created.',
  body: ArchitectureDraft,
  response: ArchitectureReport,
  errors: [],
  effect: 'read',
  keywords: [...keywords, 'lint', 'critique'],
})

const get_architecture = operation({
  name: 'get_architecture',
  method: 'GET',
  path: '/api/v1/architecture/{design_id}',
  permission: 'ARCHITECTURE_READ',
  title: 'Get architecture',
  description: 'Get an architecture design.',
  params: design,
  query: { include_payloads: z.boolean().default(false) },
  response: ArchitectureDesign,
  errors: [],
  keywords,
})

const update_architecture = operation({
  name: 'update_architecture',
  method: 'PATCH',
  path: '/api/v1/architecture/{design_id}',
  permission: 'ARCHITECTURE_UPDATE',
  title: 'Update architecture',
  description: 'Change fields of a design, or its lists.',
  params: design,
  body: ArchitectureUpdate,
  response: ArchitectureDesign,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'SPEC_LOCKED'],
  keywords,
})

const delete_architecture = operation({
  name: 'delete_architecture',
  method: 'DELETE',
  path: '/api/v1/architecture/{design_id}',
  permission: 'ARCHITECTURE_DELETE',
  title: 'Delete architecture',
  description: 'Delete a design with its versions and payloads.',
  params: design,
  errors: ['ARCHIVED', 'SPEC_LOCKED'],
  keywords,
})

const get_diagram_payload = operation({
  name: 'get_diagram_payload',
  method: 'GET',
  path: '/api/v1/architecture/{design_id}/diagrams/{diagram_id}/payload',
  permission: 'ARCHITECTURE_READ',
  title: 'Get diagram payload',
  description: 'Get the content of one diagram of a design.',
  params: { design_id: Id, diagram_id: z.string() },
  query: { version: z.int().min(1).optional().register(toolHints, { hidden: true }) },
  response: StoredDiagramPayload,
  errors: [],
  keywords: [...keywords, 'excalidraw', 'mermaid'],
})

const put_diagram_payload = operation({
  name: 'put_diagram_payload',
  method: 'PUT',
  path: '/api/v1/architecture/{design_id}/diagrams/{diagram_id}/payload',
  permission: 'ARCHITECTURE_UPDATE',
  title: 'Put diagram payload',
  description: 'Replace the content of one diagram of a design.',
  params: { design_id: Id, diagram_id: z.string() },
  body: DiagramPayloadPut,
  response: ArchitectureDesign,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'SPEC_LOCKED'],
  keywords: [...keywords, 'excalidraw', 'mermaid'],
})

const import_excalidraw_diagram = operation({
  name: 'import_excalidraw_diagram',
  method: 'POST',
  path: '/api/v1/architecture/{design_id}/diagrams/import-excalidraw',
  permission: 'ARCHITECTURE_CREATE',
  title: 'Import Excalidraw diagram',
  description: 'Put an Excalidraw scene into a design as a diagram.',
  params: design,
  body: ExcalidrawImport,
  response: ArchitectureDesign,
  errors: ['VALIDATION_ERROR', 'ARCHIVED', 'SPEC_LOCKED'],
  keywords: [...keywords, 'scene', 'upload'],
})

const diff_architecture = operation({
  name: 'diff_architecture',
  method: 'GET',
  path: '/api/v1/architecture/{design_id}/diff',
  permission: 'ARCHITECTURE_READ',
  title: 'Diff architecture',
  description: 'Compare two versions of a design and find breaking changes.',
  params: design,
  query: { from_version: z.int().min(1), to_version: z.int().min(1) },
  response: ArchitectureDiff,
  errors: [],
  keywords: [...keywords, 'compare', 'history', 'breaking change'],
})

const copy_architecture_to_card = operation({
  name: 'copy_architecture_to_card',
  method: 'POST',
  path: '/api/v1/cards/{card_id}/copy-architecture-from-spec/{spec_id}',
  permission: 'ARCHITECTURE_CREATE',
  title: 'Copy architecture to card',
  description: 'Copy designs of a spec to a card, or sync earlier copies.',
  params: { card_id: Id, spec_id: Id },
  body: ArchitectureCopy,
  bodyOptional: true,
  list: ArchitectureDesign,
  errors: ['VALIDATION_ERROR', 'ARCHIVED'],
  keywords: [...keywords, 'sync'],
})

export const architecture = {
  list_ideation_architecture,
  create_ideation_architecture,
  list_refinement_architecture,
  create_refinement_architecture,
  list_spec_architecture,
  create_spec_architecture,
  list_card_architecture,
  create_card_architecture,
  validate_architecture,
  get_architecture,
  update_architecture,
  delete_architecture,
  get_diagram_payload,
  put_diagram_payload,
  import_excalidraw_diagram,
  diff_architecture,
  copy_architecture_to_card,
} as const
