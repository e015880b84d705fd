/** Creates records for the readers: unspecified fields are empty. */
import type { Conclusion } from '@specboard/contract'
import type { z } from 'zod'
import type {
  NeutralCard,
  NeutralComment,
  NeutralConclusion,
  NeutralGuideline,
  NeutralIdeation,
  NeutralKnowledge,
  NeutralRecord,
  NeutralSpec,
  SourcePlace,
} from './neutral.ts'

const defaults = { created_at: null, updated_at: null, created_by: null }

/** The required fields of a record; the others are optional. */
type RecordFields<R extends NeutralRecord, Field extends keyof R> = Pick<R, Field | 'id' | 'place'> & Partial<R>

export const guideline = (fields: RecordFields<NeutralGuideline, 'title' | 'content'>): NeutralGuideline => ({
  ...defaults,
  ...fields,
  type: 'guideline',
})

export const ideation = (fields: RecordFields<NeutralIdeation, 'title' | 'status'>): NeutralIdeation => ({
  ...defaults,
  archived: false,
  description: null,
  problem_statement: null,
  proposed_approach: null,
  assignee_id: null,
  labels: [],
  ...fields,
  type: 'ideation',
})

export const spec = (fields: RecordFields<NeutralSpec, 'title' | 'status'>): NeutralSpec => ({
  ...defaults,
  archived: false,
  ideation_id: null,
  description: null,
  context: null,
  assignee_id: null,
  labels: [],
  functional_requirements: [],
  acceptance_criteria: [],
  test_scenarios: [],
  decisions: [],
  ...fields,
  type: 'spec',
})

/** A spec that a reader adds itself, with its title, in progress. */
export const ownSpec = (title: string, place: SourcePlace, fields: Partial<NeutralSpec> = {}): NeutralSpec =>
  spec({ id: `spec:${title}`, place, title, status: 'in_progress', ...fields })

/** The spec for records without a spec of their own. */
export const importedSpec = (place: SourcePlace): NeutralSpec => ownSpec('Imported', place)

export const card = (fields: RecordFields<NeutralCard, 'title' | 'status' | 'spec_id'>): NeutralCard => ({
  ...defaults,
  priority: 'none',
  card_type: 'normal',
  severity: null,
  archived: false,
  description: null,
  details: null,
  moved_at: null,
  assignee_id: null,
  due_date: null,
  labels: [],
  test_scenario_ids: [],
  conclusions: [],
  ...fields,
  type: 'card',
})

export const knowledge = (
  fields: RecordFields<NeutralKnowledge, 'owner_type' | 'owner_id' | 'title' | 'content'>,
): NeutralKnowledge => ({ ...defaults, mime_type: 'text/markdown', ...fields, type: 'knowledge' })

export const comment = (fields: RecordFields<NeutralComment, 'card_id' | 'content'>): NeutralComment => ({
  ...defaults,
  ...fields,
  type: 'comment',
})

const unscored: Pick<
  z.output<typeof Conclusion>,
  'completeness' | 'completeness_justification' | 'drift' | 'drift_justification' | 'source'
> = { completeness: null, completeness_justification: '', drift: null, drift_justification: '', source: 'move_to_done' }

/** The conclusion of a done card. */
export const conclusion = (fields: Pick<NeutralConclusion, 'text' | 'author' | 'created_at'>): NeutralConclusion => ({
  ...unscored,
  ...fields,
})

/** The context of a spec whose source is part of another. */
export const partOf = (id: string, title: string): string => `Part of ${id}: ${title}`

/** Joins texts with blank lines between; null if all are empty. */
export const joined = (texts: readonly (string | null | undefined)[]): string | null =>
  texts.filter(text => text != null && text.trim() !== '').join('\n\n') || null

/** The given texts without blank and duplicate ones. */
export const distinct = (texts: readonly string[]): string[] => [
  ...new Set(texts.map(text => text.trim()).filter(text => text !== '')),
]
