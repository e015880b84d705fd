/** Architecture designs and their parts. */
import { ArchitectureDiagram, ArchitectureEntity, ArchitectureInterface, DiagramPayload } from '@specboard/contract'
import { z } from 'zod'
import {
  architectureDesigns,
  architectureFormerPayloads,
  architecturePayloads,
  architectureVersions,
} from '../../schema/tables/planning-parts.ts'
import { author, authored, column, columnsOf, list, object, ownerType, titled } from './columns.ts'
import { kind } from './kind.ts'

const { id, text, nullableText, nullableWhole, count, part, rev, time } = column

/** Diagrams without payload references, which differ from board to board. */
const withoutPayloadRefs = (diagrams: unknown): unknown =>
  (diagrams as object[]).map(diagram => ({ ...diagram, adapter_payload_ref: null }))

/** A diagram without its payload, as stored. */
const Diagram = ArchitectureDiagram.omit({ adapter_payload: true })

/** The parts of a design are contained in its line, in `versions`, `payloads` and `former_payloads`. */
export const architecture = kind(architectureDesigns, {
  // Interfaces reference entities, and diagrams reference both.
  together: [['entities', 'interfaces', 'diagrams']],
  columns: {
    id,
    number: part,
    parent_type: ownerType,
    parent_id: id,
    title: titled,
    global_description: text,
    entities: list(ArchitectureEntity),
    interfaces: list(ArchitectureInterface),
    diagrams: { schema: list(Diagram), compared: withoutPayloadRefs },
    version: count,
    rev,
    source_ref: nullableText,
    source_version: nullableWhole,
    source_design_id: nullableText,
    stale: z.boolean(),
    breaking_change_flag: z.boolean(),
    requires_arch_review: z.boolean(),
    ...authored,
  },
})

export const architectureVersion = columnsOf(architectureVersions, {
  id,
  version: count,
  content: object,
  change_summary: text,
  created_by: author,
  created_at: time,
})

export const architecturePayload = columnsOf(architecturePayloads, {
  id,
  diagram_id: text,
  content: DiagramPayload,
})

/** The content of a diagram in a former version, which references it by its hash. */
export const architectureFormerPayload = columnsOf(architectureFormerPayloads, {
  diagram_id: text,
  content_hash: text,
  content: DiagramPayload,
})
