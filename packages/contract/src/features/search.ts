/** Search: records by words and filters, over all boards (board 4). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { PathPattern } from '../path-patterns.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { CommaList, commaListOf, Id, includeArchived, Moment, Ref, Timestamp } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { ChangeState } from './repositories.ts'
import { CardStatus, IdeationStatus, RefinementStatus, SpecStatus, SprintStatus } from './summaries.ts'

/** The kinds of record that are searched. */
export const SearchKind = z.enum([
  'ideation',
  'refinement',
  'spec',
  'sprint',
  'card',
  'architecture',
  'knowledge',
  'guideline',
  'comment',
  'question',
  'conclusion',
  'change',
])

/** The statuses of all kinds, each once. */
const statuses = [
  ...new Set(
    [IdeationStatus, RefinementStatus, SpecStatus, SprintStatus, CardStatus, ChangeState].flatMap(
      ({ options }): string[] => [...options],
    ),
  ),
]

const FoundParent = z
  .object({ entity_type: SearchKind, id: Id, ref: Ref, title: z.string() })
  .meta({ id: 'FoundParent' })

export const FoundRecord = z
  .object({
    entity_type: SearchKind,
    id: Id,
    ref: Ref.nullable(),
    board_id: Id.nullable(),
    title: z.string(),
    status: z.string().nullable(),
    parent: FoundParent.nullable(),
    labels: z.array(z.string()),
    assignee_id: z.string().nullable(),
    assignee_name: z.string().nullable(),
    open_questions: z.int().min(0),
    created_at: Timestamp,
    updated_at: Timestamp,
    excerpt: z.string(),
    partial: z.literal(true).exactOptional().describe('lacks some words'),
  })
  .meta({ id: 'FoundRecord' })

/** Filters that tools accept but do not list, because few agents need them. */
const rare = {
  status: commaListOf(statuses).optional().describe('comma list').register(toolHints, { hidden: true }),
  offset: z.int().min(0).default(0).register(toolHints, { hidden: true }),
  label: CommaList.optional().describe('comma list').register(toolHints, { hidden: true }),
  parent_id: Id.optional().register(toolHints, { hidden: true }),
  updated_since: Moment.optional().register(toolHints, { hidden: true }),
  path: PathPattern.optional().describe('cards whose scope overlaps it').register(toolHints, { hidden: true }),
  include_archived: includeArchived.include_archived.clone().register(toolHints, { hidden: true }),
}

export const search_records = operation({
  name: 'search_records',
  method: 'GET',
  path: '/api/v1/search',
  permission: '-',
  reads: 'board',
  extension: true,
  title: 'Search records',
  description: 'Find records by words or reference, on all boards.',
  query: {
    q: z.string().max(200).default(''),
    board_id: CommaList.optional(),
    kind: commaListOf(SearchKind.options).optional().describe('comma list'),
    assignee_id: z.string().max(255).optional().describe('or me, none'),
    ...rare,
    limit: z.int().min(1).max(200).default(20).describe('1-200'),
  },
  list: FoundRecord,
  aliases: { query: 'q' },
  errors: ['VALIDATION_ERROR'],
  // Kinds that the caller may not read on a board are omitted.
  asks: checkedByImplementation(),
  keywords: ['find', 'where is', 'look up', 'lookup', 'full text', 'filter', 'query', 'locate'],
})
