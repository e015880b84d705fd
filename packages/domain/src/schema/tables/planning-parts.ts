/** Parts of planning records and cards, and guidelines. */
import type { ArchitectureEntity, ArchitectureInterface, Choice, DiagramPayload } from '@specboard/contract'
import {
  anyId,
  author,
  flag,
  id,
  idBy,
  idOrText,
  json,
  jsonOf,
  listOf,
  nullable,
  ofBoard,
  oneOf,
  own,
  text,
  whole,
} from '../columns.ts'
import type { DesignVersion, Diagram } from '../contents.ts'
import { type RowOf, table } from '../table.ts'
import type { OwnerType } from './shared.ts'

export const questions = table({
  name: 'questions',
  part: { letter: 'q', of: ['cards', 'specs', 'ideations', 'refinements'], by: 'owner_id' },
  searched: 'question',
  archived: 'question',
  removed: 'in pieces',
  columns: {
    id: text,
    /** Counted on its record (crew 8.2). */
    number: whole,
    board_id: ofBoard,
    owner_type: oneOf<OwnerType>(),
    owner_id: idBy('owner_type'),
    question: text,
    question_type: text,
    choices: nullable(listOf<typeof Choice>()),
    allow_free_text: flag,
    answer: nullable(text),
    selected: nullable(json<string[]>()),
    asked_by: author,
    answered_by: nullable(author),
    created_at: text,
    answered_at: nullable(text),
  },
})
export type QuestionsTable = RowOf<typeof questions>

/** Knowledge of refinements and specs; that of cards is in a column of the card. */
export const knowledge = table({
  name: 'knowledge',
  part: { letter: 'k', of: ['specs', 'refinements'], by: 'owner_id' },
  searched: 'knowledge',
  archived: 'knowledge',
  removed: 'in pieces',
  columns: {
    id: text,
    /** Counted on its record (crew 8.2). */
    number: whole,
    board_id: ofBoard,
    owner_type: oneOf<OwnerType>(),
    owner_id: idBy('owner_type'),
    title: text,
    description: nullable(text),
    content: text,
    mime_type: text,
    source_type: nullable(text),
    source_id: nullable(anyId),
    source_title: nullable(text),
    source_version: nullable(whole),
    source_kb_id: nullable(anyId),
    created_by: author,
    created_at: text,
    updated_at: text,
  },
})
export type KnowledgeTable = RowOf<typeof knowledge>

export const snapshots = table({
  name: 'snapshots',
  archived: 'snapshot',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    owner_type: oneOf<OwnerType>(),
    owner_id: idBy('owner_type'),
    version: whole,
    /** The fields that the kind of owner keeps, and `qa_snapshot`. */
    content: json<unknown>({ authorsIn: ['author_id', 'asked_by', 'answered_by'] }),
    created_by: author,
    created_at: text,
  },
})
export type SnapshotsTable = RowOf<typeof snapshots>

export const architectureDesigns = table({
  name: 'architecture_designs',
  type: 'architecture_design',
  title: 'title',
  part: { letter: 'd', of: ['cards', 'specs', 'ideations', 'refinements'], by: 'parent_id' },
  searched: 'architecture',
  archived: 'architecture',
  removed: 'in pieces',
  columns: {
    id: text,
    /** Counted on its record (crew 8.2). */
    number: whole,
    board_id: ofBoard,
    parent_type: oneOf<OwnerType>(),
    parent_id: idBy('parent_type'),
    title: own(text),
    global_description: own(text),
    entities: own(listOf<typeof ArchitectureEntity>()),
    interfaces: own(listOf<typeof ArchitectureInterface>()),
    /** In the client's order. */
    diagrams: own(json<Diagram[]>({ idsIn: ['adapter_payload_ref'] })),
    version: whole,
    rev: whole,
    source_ref: own(nullable(idOrText)),
    source_version: own(nullable(whole)),
    source_design_id: own(nullable(idOrText)),
    stale: own(flag),
    breaking_change_flag: own(flag),
    requires_arch_review: own(flag),
    created_by: author,
    created_at: text,
    updated_at: text,
  },
})
export type ArchitectureDesignsTable = RowOf<typeof architectureDesigns>

/** The content of a diagram; the id is the diagram's `adapter_payload_ref`. */
export const architecturePayloads = table({
  name: 'architecture_payloads',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    design_id: id('architecture_designs'),
    diagram_id: text,
    /** Canonical JSON (insight A.5). */
    content: jsonOf<typeof DiagramPayload>(),
  },
})
export type ArchitecturePayloadsTable = RowOf<typeof architecturePayloads>

/** The content that diagrams had in former versions of their design, each stored once. */
export const architectureFormerPayloads = table({
  name: 'architecture_former_payloads',
  key: ['design_id', 'diagram_id', 'content_hash'],
  columns: {
    design_id: id('architecture_designs'),
    diagram_id: text,
    content_hash: text,
    content: jsonOf<typeof DiagramPayload>(),
  },
})
export type ArchitectureFormerPayloadsTable = RowOf<typeof architectureFormerPayloads>

/** A version of a design; it never changes. */
export const architectureVersions = table({
  name: 'architecture_versions',
  removed: 'in pieces',
  columns: {
    id: text,
    board_id: ofBoard,
    design_id: id('architecture_designs'),
    version: whole,
    /** The design's content, source fields and flags, with diagrams without payloads. */
    content: json<DesignVersion>({ namesInside: true }),
    change_summary: text,
    created_by: author,
    created_at: text,
  },
})
export type ArchitectureVersionsTable = RowOf<typeof architectureVersions>

export const guidelines = table({
  name: 'guidelines',
  type: 'guideline',
  title: 'title',
  searched: 'guideline',
  archived: 'guideline',
  removed: 'in pieces',
  ofBoard: { onlyIf: `scope = 'inline'` },
  columns: {
    id: text,
    title: own(text),
    content: own(text),
    tags: own(nullable(json<string[]>())),
    scope: oneOf<'global' | 'inline'>(),
    board_id: nullable(id('boards', 'set null')),
    owner_id: author,
    version: whole,
    rev: whole,
    /** The priority of an inline guideline on its board; 0 for global ones. */
    priority: whole,
    created_at: text,
    updated_at: text,
  },
})
export type GuidelinesTable = RowOf<typeof guidelines>

export const boardGuidelines = table({
  name: 'board_guidelines',
  removed: 'at once',
  columns: {
    id: text,
    board_id: ofBoard,
    guideline_id: id('guidelines'),
    priority: whole,
    created_at: text,
  },
})
