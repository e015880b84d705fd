/** The texts of records, read in parts (crew 1.7). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { Id } from '../shared.ts'

/** The kinds of record with readable texts. */
export const TextOwner = z.enum([
  'ideation',
  'refinement',
  'spec',
  'sprint',
  'card',
  'guideline',
  'architecture',
  'knowledge',
  'comment',
  'question',
])

const TextPart = z
  .object({
    text: z.string(),
    offset: z.int().min(0),
    length: z.int().min(0),
    total: z.int().min(0).describe('characters of the whole text'),
    next_offset: z.int().nullable(),
  })
  .meta({ id: 'TextPart' })

export const read_text = operation({
  name: 'read_text',
  method: 'GET',
  path: '/api/v1/text/{entity_type}/{entity_id}',
  permission: '-',
  extension: true,
  title: 'Read text',
  description: 'Read a part of a long text of a record.',
  params: { entity_type: z.string().describe('card, spec, comment, question, knowledge, …'), entity_id: Id },
  query: {
    path: z.string().min(1).max(500).optional().describe('which text: details, test_scenarios.t1.given'),
    offset: z.int().min(0).default(0),
    length: z.int().min(1).max(20_000).default(8_000).describe('1-20000'),
    around: z.string().min(1).max(500).optional().describe('words'),
  },
  response: TextPart,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  // The type is checked before the permission, which depends on it.
  asks: checkedByImplementation(
    { permission: 'IDEATIONS_READ', part: 'ideations' },
    { permission: 'REFINEMENTS_READ', part: 'refinements' },
    { permission: 'SPECS_READ', part: 'specs' },
    { permission: 'SPRINTS_READ', part: 'sprints' },
    { permission: 'CARDS_READ', part: 'cards' },
    { permission: 'GUIDELINES_READ', part: 'guidelines' },
    { permission: 'ARCHITECTURE_READ', part: 'designs' },
    { permission: 'KNOWLEDGE_READ', part: 'knowledge' },
    { permission: 'COMMENTS_READ', part: 'comments' },
    { permission: 'QA_READ', part: 'questions' },
  ),
  keywords: ['whole text', 'rest', 'long', 'cut', 'more', 'continue reading', 'excerpt'],
})
