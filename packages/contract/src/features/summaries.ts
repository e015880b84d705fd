/**
 * Summaries of records that nest in their parents; in one file, so that no feature has to import its children's file.
 */
import { z } from 'zod'
import { ArchitectureDesignSummary, Id, Labels, PrincipalKind, Ref, Text, Timestamp } from '../shared.ts'
import { RecordProof } from './record-proof.ts'

export const IdeationStatus = z.enum(['draft', 'review', 'approved', 'evaluating', 'done', 'cancelled'])
export const RefinementStatus = z.enum(['draft', 'review', 'approved', 'done', 'cancelled'])
export const SpecStatus = z.enum(['draft', 'review', 'approved', 'validated', 'in_progress', 'done', 'cancelled'])
export const SprintStatus = z.enum(['draft', 'active', 'review', 'closed', 'cancelled'])
export const CardStatus = z.enum([
  'not_started',
  'started',
  'in_progress',
  'validation',
  'on_hold',
  'done',
  'cancelled',
])
export const CardPriority = z.enum(['critical', 'very_high', 'high', 'medium', 'low', 'none'])
export const CardType = z.enum(['normal', 'test', 'bug'])
export const BugSeverity = z.enum(['minor', 'major', 'critical'])

const summaryFields = {
  id: Id,
  ref: Ref,
  board_id: Id,
  title: z.string(),
  description: Text,
  version: z.int(),
  assignee_id: z.string().nullable(),
  created_by: z.string(),
  created_at: Timestamp,
  updated_at: Timestamp,
  labels: Labels,
  archived: z.boolean(),
  pre_archive_status: z.string().nullable(),
}

/** A refinement in a list or in its ideation (ideation 1.3). */
export const RefinementSummary = z
  .object({ ...summaryFields, ideation_id: Id, status: RefinementStatus })
  .meta({ id: 'RefinementSummary' })

/** A spec in a list or in its ideation or refinement (interface, SpecSummary). */
export const SpecSummary = z
  .object({
    ...summaryFields,
    ideation_id: Id.nullable(),
    refinement_id: Id.nullable(),
    status: SpecStatus,
    architecture_designs: z.array(ArchitectureDesignSummary),
    proof: RecordProof.nullable().describe('null where nothing but claims exists'),
  })
  .meta({ id: 'SpecSummary' })

/** The number of cards of a record that are not archived, and how many of them are done (board 6). */
export const cardCounts = { cards_total: z.int().min(0), cards_done: z.int().min(0) }

/** The number of unanswered questions on a record (board 6). */
export const openQuestions = { open_questions: z.int().min(0) }

/** A spec in the list of a board. */
export const SpecListItem = SpecSummary.extend({ standing: z.boolean(), ...openQuestions, ...cardCounts }).meta({
  id: 'SpecListItem',
})

export const ClaimStage = z.enum(['work', 'validation'])

/** The id of a session, as its client provides it (harness). */
export const SessionName = z.string().min(1).max(200)

/** A session of a client. */
export const ClientSession = z
  .object({ id: z.string(), client: z.string().nullable(), name: z.string().nullable() })
  .meta({ id: 'ClientSession' })

/** Somebody else whose paths overlap those of a card or reservation (harness 5.2). */
export const Overlap = z
  .object({
    kind: z.enum(['card', 'reservation']),
    ref: Ref.exactOptional(),
    reservation_id: Id.exactOptional(),
    title: z.string().nullable(),
    agent_id: Id,
    agent_name: z.string(),
    session: ClientSession.nullable(),
    stage: z.enum(['work', 'reserved']).nullable(),
    until: Timestamp,
    mine: z.array(z.string()).max(5).describe('patterns overlapping theirs, pair by pair'),
    theirs: z.array(z.string()).max(5),
    example: z.string().describe('a path in both'),
    since: Timestamp,
  })
  .meta({ id: 'Overlap' })

/** Who works on a card, and until when (work 3). */
export const Claim = z
  .object({
    card_id: Id,
    card_ref: Ref,
    agent_id: Id,
    agent_name: z.string(),
    agent_kind: PrincipalKind,
    stage: ClaimStage,
    note: Text,
    claimed_at: Timestamp,
    renewed_at: Timestamp,
    expires_at: Timestamp,
    session: ClientSession.nullable().describe('that works on it'),
    overlaps: z.array(Overlap).nullable().exactOptional(),
  })
  .meta({ id: 'Claim' })

/** A card in its spec or sprint (specs 2.1). */
export const CardBrief = z
  .object({
    id: Id,
    ref: Ref,
    title: z.string(),
    status: CardStatus,
    priority: CardPriority,
    assignee_id: z.string().nullable(),
    sprint_id: Id.nullable(),
    card_type: CardType,
    archived: z.boolean(),
    claim: Claim.nullable(),
  })
  .meta({ id: 'CardBrief' })
