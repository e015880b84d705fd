/** Changes: two states of a record compared (board 5). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id, Rev, Timestamp } from '../shared.ts'

/** The kinds of record whose states can be compared. */
export const DiffedType = z.enum(['ideation', 'refinement', 'spec', 'sprint', 'card'])

/** A point in the life of a record: the state after a history entry, or of a version or time. */
const DiffPoint = z
  .object({
    entry_id: Id.nullable().describe('last history entry of that state'),
    version: z.int().nullable(),
    rev: Rev,
    at: Timestamp,
  })
  .meta({ id: 'DiffPoint' })

/** Words that were removed (-1), kept (0) or added (1). */
const DiffPart = z.tuple([z.union([z.literal(-1), z.literal(0), z.literal(1)]), z.string()])

const FieldDiff = z
  .object({
    field: z.string(),
    old: z.unknown(),
    new: z.unknown(),
    parts: z.array(DiffPart).nullable().describe('of a text: [-1 gone | 0 kept | 1 new, words]'),
    added: z.array(z.unknown()).nullable().describe('of a list'),
    removed: z.array(z.unknown()).nullable(),
    changed: z.array(z.object({ id: z.string(), old: z.unknown(), new: z.unknown() })).nullable(),
    moved: z.array(z.unknown()).nullable().describe('ids or texts in another order'),
  })
  .meta({ id: 'FieldDiff' })

export const RecordDiff = z
  .object({ from: DiffPoint, to: DiffPoint, truncated: z.boolean(), fields: z.array(FieldDiff) })
  .meta({ id: 'RecordDiff' })

const Point = z.string().max(255)

export const diff_record = operation({
  name: 'diff_record',
  method: 'GET',
  path: '/api/v1/diff/{entity_type}/{entity_id}',
  permission: '-',
  reads: 'board',
  extension: true,
  title: 'Diff record',
  description: 'Show what changed in a record between two points, word by word; by default since its last review.',
  params: { entity_type: z.string().describe(DiffedType.options.join(', ')), entity_id: Id },
  query: {
    from: Point.optional().describe('r12, v3, entry id or time'),
    to: Point.optional().describe('default now'),
  },
  response: RecordDiff,
  errors: ['VALIDATION_ERROR'],
  // The type is checked before the permission, which depends on it.
  asks: checkedByImplementation(
    { permission: 'IDEATIONS_READ_HISTORY', part: 'ideations' },
    { permission: 'REFINEMENTS_READ_HISTORY', part: 'refinements' },
    { permission: 'SPECS_READ_HISTORY', part: 'specs' },
    { permission: 'SPRINTS_READ_HISTORY', part: 'sprints' },
    { permission: 'CARDS_READ_ACTIVITY', part: 'cards' },
  ),
  keywords: ['what changed', 'changes', 'compare', 'history', 'difference', 'versions', 'since review'],
})
