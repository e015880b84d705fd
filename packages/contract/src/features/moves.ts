/** What may be done with a record now, and what prevents the rest (board 3). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { FreeObject, Id, Ref } from '../shared.ts'
import { toolHints } from '../tool-hints.ts'
import { CardStatus, IdeationStatus, RefinementStatus, SpecStatus, SprintStatus } from './summaries.ts'

/** The kinds of record with statuses. */
export const MovedType = z.enum(['ideation', 'refinement', 'spec', 'sprint', 'card'])

/** Every status that one of these kinds can have. */
const AnyStatus = z.enum([
  ...new Set([
    ...IdeationStatus.options,
    ...RefinementStatus.options,
    ...SpecStatus.options,
    ...SprintStatus.options,
    ...CardStatus.options,
  ]),
])

/** What the caller can do about a refused call (mcp 9.5, board 6). */
export const NextAction = z
  .object({
    name: z.string(),
    arguments: FreeObject,
    reason: z.string(),
  })
  .meta({ id: 'NextAction' })

/** A condition of a move or of another operation on a record. */
export const GateName = z.enum([
  'archived',
  'claim',
  'attempts',
  'transition',
  'scope',
  'coverage',
  'spec_validation',
  'evaluation',
  'criteria',
  'sprints',
  'tasks',
  'scenarios',
  'cards',
  'evidence',
  'spec',
  'sprint',
  'validation',
  'bug_test',
  'report',
  'dependencies',
  'status',
  'lock',
  'reviewer',
  'person',
  'proof',
  'change',
  'checks',
  'column',
])

/** What a move changes besides the status. */
export const MoveEffect = z.enum([
  'claim_ends',
  'evaluations_stale',
  'spec_unlocked',
  'spec_rolled_back',
  'validation_inactive',
])

/** The detail of a closed gate's 409, with what resolves it. */
export const MoveBlocker = z
  .looseObject({ error: z.string(), message: z.string(), next_actions: z.array(NextAction) })
  .meta({ id: 'MoveBlocker' })

/** An agent that may do what the caller may not. */
export const Holder = z.object({ id: Id, name: z.string() }).meta({ id: 'Holder' })

const prospect = {
  state: z.enum(['forbidden', 'blocked', 'asks', 'open']),
  asks: z.array(z.string()),
  blockers: z.array(MoveBlocker),
  gates: z.array(
    z.object({
      gate: GateName,
      state: z.enum(['passed', 'blocked', 'skipped']),
      skipped_by: z.string().nullable(),
    }),
  ),
  effects: z.array(MoveEffect),
  permission: z.string().exactOptional(),
  missing: z.array(z.string()).exactOptional(),
  held_by: z.array(Holder).exactOptional(),
}

export const AllowedMove = z.object({ to: AnyStatus, ...prospect }).meta({ id: 'AllowedMove' })

export const AllowedOperation = z
  .object({ operation: z.string(), ...prospect, locked_fields: z.array(z.string()).exactOptional() })
  .meta({ id: 'AllowedOperation' })

export const AllowedMoves = z
  .object({
    entity_type: MovedType,
    entity_id: Id,
    ref: Ref,
    status: AnyStatus,
    moves: z.array(AllowedMove),
    operations: z.array(AllowedOperation),
  })
  .meta({ id: 'AllowedMoves' })

export const get_allowed_moves = operation({
  name: 'get_allowed_moves',
  method: 'GET',
  path: '/api/v1/moves/{entity_type}/{entity_id}',
  permission: '-',
  extension: true,
  title: 'Get allowed moves',
  description: 'Get what you may do with a record, and why a move is blocked.',
  // Any text: an unknown word is 400, not 422.
  params: { entity_type: z.string().describe(MovedType.options.join(', ')), entity_id: Id },
  query: {
    to: AnyStatus.optional().register(toolHints, { hidden: true }),
    holders: z.boolean().default(false).describe('who may do what you may not').register(toolHints, { hidden: true }),
  },
  response: AllowedMoves,
  errors: ['VALIDATION_ERROR', 'NOT_FOUND'],
  keywords: ['why', 'blocked', 'can', 'cannot', 'may', 'gates', 'transition', 'next status', 'missing', 'allowed'],
})
