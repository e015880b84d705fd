import { type AnyOperation, features } from '@specboard/contract'
import { z } from 'zod'
import { findKeepingClaim } from '../../delivery/cards/kept.ts'
import { protectedFieldsFor } from '../../delivery/claims/rules.ts'
import type { Access } from '../../kernel/access/access.ts'
import { boardSettings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { requiredPermissions } from '../../kernel/service/required-permissions.ts'
import { missingEvidence } from '../../planning/evidence.ts'
import { lockOf } from '../../planning/spec-lock.ts'
import { touchedScenarios } from '../../planning/specs/content.ts'
import type { Scenario } from '../../planning/specs/items.ts'
import { fieldsAgainstLock } from '../../planning/specs/locked-fields.ts'
import { fixedOfStanding } from '../../planning/specs/standing.ts'
import type { Change } from '../../schema/contents.ts'
import type { RecordType } from '../kinds/kinds.ts'
import type { Row } from './rows.ts'

type Owner = 'ideation' | 'refinement' | 'spec' | 'card'

/** The operation by which a caller changes a record of a kind; kinds without one cannot be changed. */
const updates: Readonly<Partial<Record<RecordType, AnyOperation>>> = {
  guideline: features.guidelines.update_guideline,
  ideation: features.ideations.update_ideation,
  refinement: features.refinements.update_refinement,
  spec: features.specs.update_spec,
  sprint: features.sprints.update_sprint,
  card: features.cards.update_card,
  comment: features.comments.update_comment,
  architecture: features.architecture.update_architecture,
  template: features.templates.update_template,
}

const answers: Readonly<Record<Owner, AnyOperation>> = {
  ideation: features.ideations.answer_ideation_question,
  refinement: features.refinements.answer_refinement_question,
  spec: features.specs.answer_spec_question,
  card: features.qa.answer_card_question,
}

const byArchiving = 'records are archived only by archive_record'

/** Fields that operations change through gates of their own, or not at all: a later import leaves them. */
const gated: Readonly<Partial<Record<string, string>>> = {
  status: 'a status changes only by a move',
  archived: byArchiving,
  pre_archive_status: byArchiving,
  card_type: 'a card keeps its type',
  spec_id: 'a card changes its spec only by link_card_to_spec',
  ideation_id: 'a record keeps its origin',
  refinement_id: 'a record keeps its origin',
  sprint_id: 'a card changes its sprint only by assign_sprint_tasks',
  test_scenario_ids: 'scenarios are linked only by link_task_to_scenario',
  linked_test_task_ids: 'test tasks are linked only by update_card',
}

/** The fields set by the answer to a question. */
const ofAnswer: ReadonlySet<string> = new Set(['answer', 'selected', 'answered_by', 'answered_at'])

/** A record that exists here, and what a later import would change in it. */
export interface Revision {
  readonly boardId: string
  readonly type: RecordType
  readonly before: Row
  readonly changes: readonly Change[]
}

/**
 * The fields that the caller may not change by the operation for them, each with the reason (walls 5): its permission
 * and the limit of its status, archived and locked records, cards that another agent has claimed, the evidence of
 * scenarios, others' comments, and what only another operation changes.
 */
export async function refusedFields(ctx: Context, revision: Revision): Promise<ReadonlyMap<string, string>> {
  const { boardId, type, before, changes } = revision
  const all = (reason: string) => new Map(changes.map(({ field }) => [field, reason]))
  // With another address it would be another repository, with another forge and other issuers of CI tokens.
  if (type === 'repository') return all('a repository changes only by update_repository')
  const operation = operationOf(revision)
  if (operation === undefined) return all('no operation changes it')
  const { access } = await ctx.reach('board', boardId)
  if (type === 'comment' && before.author_id !== ctx.caller.id) return all('only its author changes a comment')
  if (before.archived === 1 || (await isOfArchived(ctx, revision))) return all('it is archived')
  const fields = new Set(operation.body instanceof z.ZodObject ? Object.keys(operation.body.shape) : [])
  const state = { status: typeof before.status === 'string' ? before.status : null, archived: false }
  const ownReasons = new Map([
    ...(await specReasons(ctx, revision)),
    ...draftReasons(revision),
    ...(await claimReasons(ctx, revision, access)),
  ])
  return new Map(
    changes.flatMap(({ field, new: value }) => {
      const reason = gated[field] ?? ownReasons.get(field)
      if (reason !== undefined) return [[field, reason] as const]
      const isAnswer = type === 'question' && ofAnswer.has(field)
      if (type === 'guideline' && field === 'priority')
        return [[field, 'its priority changes only by update_board_guideline'] as const]
      if (!isAnswer && !fields.has(field)) return [[field, `${operation.name} does not change it`] as const]
      const input = { params: {}, query: {}, body: isAnswer ? {} : { [field]: value } }
      const missing = requiredPermissions(operation, input, state).find(permission => !access.allows(permission))
      return missing === undefined ? [] : [[field, `${missing} is missing`] as const]
    }),
  )
}

/** Knowledge of planning records is created and deleted, never changed. */
function operationOf({ type, before }: Revision): AnyOperation | undefined {
  if (type === 'question') return answers[before.owner_type as Owner]
  if (type !== 'knowledge') return updates[type]
  return before.owner_type === 'card' ? features.cards.update_card_knowledge : undefined
}

/** The record that another one belongs to, and whose archive and lock apply to it too. */
function ownerOf({ type, before }: Revision): { readonly type: Owner; readonly id: string } | undefined {
  if (type === 'comment') return { type: 'card', id: String(before.card_id) }
  if (type === 'architecture') return { type: before.parent_type as Owner, id: String(before.parent_id) }
  if (type !== 'question' && type !== 'knowledge') return undefined
  return { type: before.owner_type as Owner, id: String(before.owner_id) }
}

async function isOfArchived(ctx: Context, revision: Revision): Promise<boolean> {
  const owner = ownerOf(revision)
  return owner !== undefined && (await ctx.reach(owner.type, owner.id)).record.archived
}

/** Ideations and refinements can only be changed in draft (ideation 2, 3). */
const draftReasons = ({ type, before, changes }: Revision): [string, string][] =>
  (type === 'ideation' || type === 'refinement') && before.status !== 'draft'
    ? changes.map(({ field }) => [field, `it is ${String(before.status)}, and changes only in draft`])
    : []

/** The fields of a card that are blocked by the claim of another agent (crew 2.5). */
async function claimReasons(ctx: Context, { type, before, boardId }: Revision, access: Access) {
  if (type !== 'card') return []
  const claim = await findKeepingClaim(ctx, String(before.id))
  const reason = 'another agent has claimed the card'
  return protectedFieldsFor(claim, { caller: ctx.caller, boardId, access }).map(field => [field, reason] as const)
}

/** The refusals of a locked spec, or of a scenario without its evidence. */
async function specReasons(ctx: Context, { boardId, type, before, changes }: Revision): Promise<Map<string, string>> {
  const reasons = new Map<string, string>()
  const spec = type === 'spec' ? before.id : before.parent_type === 'spec' ? before.parent_id : undefined
  if (spec === undefined) return reasons
  if (type === 'spec' && before.standing === 1)
    for (const field of fixedOfStanding) reasons.set(field, 'the spec of small changes stays unchanged')
  const { locked } = await lockOf(ctx.db, String(spec))
  const against = type === 'spec' ? fieldsAgainstLock(changes) : changes.map(({ field }) => field)
  if (locked) for (const field of against) reasons.set(field, 'the spec passed its validation and is locked')
  const scenarios = type === 'spec' ? changes.find(({ field }) => field === 'test_scenarios') : undefined
  if (scenarios === undefined || (await boardSettings(ctx.db, boardId)).skip_test_evidence_global) return reasons
  const touched = touchedScenarios(scenarios.old as Scenario[] | null, scenarios.new as Scenario[] | null)
  if (touched.some(scenario => missingEvidence(scenario).length > 0))
    reasons.set('test_scenarios', 'a scenario lacks evidence for its status')
  return reasons
}
