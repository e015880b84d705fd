import type { features, TaskValidationSubmitted } from '@specboard/contract'
import type { z } from 'zod'
import { refuseArchivedCard } from '../../../kernel/archived.ts'
import type { Settings } from '../../../kernel/board-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { type DomainError, notFound, refuse } from '../../../kernel/errors.ts'
import { firstRefusal, passGates } from '../../../kernel/gates.ts'
import { ExplicitAnswer, type Implementation } from '../../../kernel/implement.ts'
import { pageOf } from '../../../kernel/page.ts'
import { nextPartRef } from '../../../kernel/parts.ts'
import { parseJson, toJson } from '../../../lib/json.ts'
import { parsePartReference, parseReference } from '../../../lib/reference.ts'
import { proofRequired } from '../../../planning/proof/gate.ts'
import { insertRow } from '../../../schema/rows.ts'
import type { TaskValidationsTable } from '../../../schema/tables.ts'
import type { CardRecord } from '../../card-record/record.ts'
import { readCard } from '../../card-record/store.ts'
import { recordOnCard, writeCard } from '../../card-record/write.ts'
import { attemptsOf } from '../../claims/attempts.ts'
import { recordAttempts } from '../../claims/lapse.ts'
import { canWorkOn, unreserved } from '../../claims/reservation.ts'
import { changeNotMerged, checksNotGreen } from '../../git/change-gates.ts'
import { recordingOverlapsOfCard } from '../../scopes/overlaps.ts'
import { finishGates, readCardFacts, validationGates } from '../card-gates.ts'
import { conclusionAdded, enterStatus } from '../enter-status.ts'
import { cardProofFacts, type MoveFacts } from '../gates/facts.ts'
import { thresholdsOf } from '../gates/gates.ts'
import type { Thresholds } from '../gates/thresholds.ts'
import { changedMeanwhile } from '../requirement-changes.ts'
import { conclusionOf, readSubmission, type Submission, verdictOf } from './rules.ts'
import { activeOf, type TaskValidationRow, taskValidationOf, taskValidations, validationsOf } from './store.ts'

type Cards = typeof features.cards

type RoutingBlock = NonNullable<z.output<typeof TaskValidationSubmitted>['routing_blocked']>

/** Whether a text is a URL or a reference, so that the evidence can be looked at (crew 9.7). */
const isPlace = (text: string): boolean =>
  URL.canParse(text) || parseReference(text) !== undefined || parsePartReference(text) !== undefined

/** The statuses of a spec whose cards are worked on; in others it went back, and may change (crew 4.7). */
const workStatuses: ReadonlySet<string> = new Set(['in_progress', 'done', 'cancelled'])

/** Stores the validation, adds a conclusion in place of a missing report, and routes the card (cards 5.2). */
export const submitTaskValidation: Implementation<Cards['submit_task_validation']> = async ({ params, body }, ctx) => {
  const facts = await readCardFacts(ctx, params.card_id)
  const { card, openDependencies, settings } = facts
  const submission = readSubmission(body, ctx.caller.id, settings.auto_move)
  const thresholds = thresholdsOf(facts)
  const verdict = verdictOf(submission, thresholds)
  const succeeded = verdict.outcome === 'success'
  passGates(validationGates(facts, ctx, succeeded))
  refuse(changedMeanwhile(card, body.seen_changes === true))
  if (facts.spec !== null && !workStatuses.has(facts.spec.status))
    ctx.warnings.push(
      `The spec of this card is ${facts.spec.status}, below in_progress: what the card asks for may still change.`,
    )
  if (submission.evidence.some(({ url }) => !isPlace(url)))
    ctx.warnings.push('An evidence url is neither a URL nor a reference such as SPE-14.a1; it is stored unchanged.')
  const row = await storeValidation(ctx, card, submission, thresholds)
  const reported = card.conclusions.some(({ source, imported }) => source === 'move_to_validation' && !imported)
  const conclusions = succeeded && !reported ? [conclusionOf(submission, row.id, ctx.now())] : []
  const unapproved = firstRefusal(finishGates({ facts, to: 'done' }, ctx))
  const unmerged =
    proofRequired(await proofSince(ctx, facts)) ??
    changeNotMerged(facts.changes, card.id) ??
    checksNotGreen(facts.changes, card.id)
  const isOpen = unapproved === null && openDependencies.length === 0 && unmerged === null
  const finishes = succeeded && submission.autoMove && isOpen
  await recordOnCard(ctx, card, 'validation_submitted', activityOf(card, row), [
    { name: 'card.validation_submitted', validation_id: row.id, outcome: row.outcome, reviewer_id: row.reviewer_id },
    ...(finishes ? [] : conclusions.map(conclusionAdded)),
  ])
  if (finishes) await enterStatus(ctx, card, 'done', { conclusions, validationId: row.id })
  else if (conclusions.length > 0) await writeCard(ctx, card.id, { conclusions: [...card.conclusions, ...conclusions] })
  const fails = { failed_attempts: card.failed_attempts + (succeeded ? 0 : 1) }
  const returns = !succeeded && submission.autoMove
  if (returns) await returnToWork(ctx, card, row.id, fails, settings)
  if (!succeeded) await recordAttempts(ctx, card, fails)
  const status = finishes ? 'done' : returns ? 'in_progress' : card.status
  const blocked = succeeded && submission.autoMove && !finishes
  return {
    ...taskValidationOf(row, true),
    card_status: status,
    ...(blocked && { routing_blocked: routingBlocked(unapproved, openDependencies, unmerged) }),
    attempts: attemptsOf({ ...card, ...fails }, false, settings.max_attempts),
  }
}

/** The proof of a card with its validation, which is proof itself if a present person gave it (evidence 7, rule 1). */
const proofSince = async (
  { caller, db }: Context,
  { card, settings, proof }: MoveFacts,
): Promise<MoveFacts['proof']> => (proof === null || !caller.present ? proof : cardProofFacts(db, card, settings))

const gateOf: Readonly<Record<string, string>> = { PROOF_REQUIRED: 'proof', CHANGE_NOT_MERGED: 'change' }

/** Why a card whose validation succeeded stays in `validation` (cards 5.2, people 1.3). */
function routingBlocked(
  unapproved: DomainError | null,
  openDependencies: MoveFacts['openDependencies'],
  unmerged: DomainError | null,
): RoutingBlock {
  if (unapproved !== null) return { error: unapproved.code as RoutingBlock['error'], gate: 'approval_done' }
  if (openDependencies.length > 0 || unmerged === null)
    return { error: 'DEPENDENCIES_NOT_MET', details: [...openDependencies] }
  return { error: unmerged.code as RoutingBlock['error'], gate: gateOf[unmerged.code] ?? 'checks' }
}

/** Returns a failed card to work, reserved for whoever moved it to `validation` (crew 4.4, rule 2). */
async function returnToWork(
  ctx: Context,
  card: CardRecord,
  validationId: string,
  fails: Pick<CardRecord, 'failed_attempts'>,
  settings: Settings,
): Promise<void> {
  const minutes = settings.rework_reserve_minutes
  const worker = minutes > 0 && (await canWorkOn(ctx, card.board_id, card.moved_by)) ? card.moved_by : null
  const reserved_until = new Date(Date.parse(ctx.now()) + minutes * 60_000).toISOString()
  const reserved = worker === null ? unreserved : { reserved_for: worker, reserved_until }
  await recordingOverlapsOfCard(ctx, card, () => enterStatus(ctx, card, 'in_progress', { validationId, reserved }))
  await recordOnCard(ctx, card, 'card_rework', {
    validation_id: validationId,
    to_agent_id: worker,
    attempts: attemptsOf({ ...card, ...fails }, false, settings.max_attempts),
  })
}

async function storeValidation(
  ctx: Context,
  card: CardRecord,
  submission: Submission,
  thresholds: Thresholds,
): Promise<TaskValidationRow> {
  const { recommendation, summary, evidence, reviewerId, scores } = submission
  const { outcome, violations } = verdictOf(submission, thresholds)
  const { number, ref } = await nextPartRef(ctx.db, { id: card.id, board: card.board_id }, 'v')
  const row: TaskValidationsTable = {
    id: ctx.newId(),
    number,
    board_id: card.board_id,
    card_id: card.id,
    stay: card.validation_stay,
    outcome,
    recommendation,
    reviewer_id: reviewerId,
    reviewer_name: await reviewerName(ctx, reviewerId),
    submitted_by: ctx.caller.id,
    summary,
    evidence: toJson(evidence),
    confidence: scores?.confidence ?? null,
    confidence_justification: scores?.confidence_justification ?? null,
    completeness: scores?.completeness ?? null,
    completeness_justification: scores?.completeness_justification ?? null,
    drift: scores?.drift ?? null,
    drift_justification: scores?.drift_justification ?? null,
    threshold_violations: toJson(violations),
    resolved_thresholds: toJson(thresholds),
    actor_type: ctx.caller.kind,
    actor_via: ctx.caller.via,
    present: ctx.caller.present ? 1 : 0,
    created_at: ctx.now(),
  }
  await insertRow(ctx.db, 'task_validations', row)
  return { ...row, ref }
}

/** The name of the reviewer, or the id when the reviewer is a person or an agent of another service. */
async function reviewerName(ctx: Context, reviewerId: string): Promise<string> {
  if (reviewerId === ctx.caller.id) return ctx.caller.name
  const agent = await ctx.db.selectFrom('agents').select('name').where('id', '=', reviewerId).executeTakeFirst()
  return agent?.name ?? reviewerId
}

const activityOf = (card: CardRecord, row: TaskValidationRow) => ({
  validation_id: row.id,
  outcome: row.outcome,
  recommendation: row.recommendation,
  confidence: row.confidence,
  estimated_completeness: row.completeness,
  estimated_drift: row.drift,
  threshold_violations: parseJson(row.threshold_violations),
  card_title: card.title,
})

export const listTaskValidations: Implementation<Cards['list_task_validations']> = async ({ params, query }, ctx) => {
  const { validation_stay } = await readCard(ctx.db, params.card_id)
  const rows = await validationsOf(ctx.db, ctx.target)
  const { items, total } = pageOf(taskValidations(rows, validation_stay).reverse(), query)
  const current_validation_id = activeOf(rows, validation_stay)?.id ?? null
  return new ExplicitAnswer(
    { card_id: params.card_id, total, current_validation_id, validations: [...items] },
    { total },
  )
}

export const getTaskValidation: Implementation<Cards['get_task_validation']> = async ({ params }, ctx) => {
  const { validation_stay } = await readCard(ctx.db, params.card_id)
  const rows = await validationsOf(ctx.db, ctx.target)
  const found = taskValidations(rows, validation_stay).find(validation => validation.id === params.validation_id)
  if (found === undefined) throw notFound('validation', params.validation_id)
  return found
}

export const deleteTaskValidation: Implementation<Cards['delete_task_validation']> = async ({ params }, ctx) => {
  const card = await readCard(ctx.db, params.card_id)
  refuseArchivedCard(card)
  const { outcome } = await ctx.db
    .deleteFrom('task_validations')
    .where('id', '=', params.validation_id)
    .returning('outcome')
    .executeTakeFirstOrThrow()
  await recordOnCard(ctx, card, 'validation_deleted', { validation_id: params.validation_id, outcome })
}
