/** Knowledge of refinements and specs, one shape for both (ideation 1.6, specs 2.4). */
import { z } from 'zod'
import { Id, PartRef, Text, Timestamp, Title } from '../shared.ts'

/** Body of the create operations. */
export const KnowledgeCreate = z
  .object({
    title: Title,
    content: z.string().min(1),
    description: Text.default(null),
    mime_type: z.string().max(100).default('text/markdown'),
  })
  .meta({ id: 'KnowledgeCreate' })

/** The fields of a summary besides its owner's id. */
export const knowledgeSummaryFields = {
  id: Id,
  ref: PartRef,
  title: z.string(),
  description: Text,
  mime_type: z.string(),
  source_type: z.string().nullable(),
  source_id: Id.nullable(),
  source_title: z.string().nullable(),
  source_version: z.int().nullable(),
  source_kb_id: Id.nullable(),
  created_at: Timestamp,
}

/** The fields of a full item besides its owner's id. */
export const knowledgeFields = {
  ...knowledgeSummaryFields,
  content: z.string(),
  created_by: z.string(),
  updated_at: Timestamp,
}
