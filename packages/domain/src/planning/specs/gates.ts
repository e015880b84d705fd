import { boardSettings, type Settings } from '../../kernel/board-settings.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked } from '../../kernel/errors.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { type Referred, refOf } from '../../schema/refs.ts'
import type { CardsTable, SprintsTable } from '../../schema/tables.ts'
import { checkEvaluations } from '../evaluation.ts'
import { type CountingCards, checkCoverage } from './coverage.ts'
import { checkCriteria, checkSprints, checkTasks, type GateCard } from './done-gates.ts'
import type { Gate } from './states.ts'
import type { SpecRecord } from './store.ts'

const gateCards = hot<
  { spec: string },
  Pick<CardsTable, 'id' | 'title' | 'status' | 'card_type' | 'archived'> & Referred
>((db, param) =>
  db
    .selectFrom('cards')
    .select(['id', refOf('cards').as('ref'), 'title', 'status', 'card_type', 'archived'])
    .where('spec_id', '=', param('spec'))
    .orderBy('created_at')
    .orderBy('id'),
)

const openSprints = hot<{ spec: string }, Pick<SprintsTable, 'id' | 'title' | 'status'> & Referred>((db, param) =>
  db
    .selectFrom('sprints')
    .select(['id', refOf('sprints').as('ref'), 'title', 'status'])
    .where('spec_id', '=', param('spec'))
    .where('archived', '=', 0)
    .orderBy('created_at')
    .orderBy('id'),
)

async function cardsOf(db: Db, specId: string): Promise<GateCard[]> {
  const rows = await gateCards(db, { spec: specId })
  return rows.map(row => ({ ...row, archived: row.archived === 1 }))
}

const counting = (cards: readonly GateCard[]): CountingCards =>
  new Map(
    cards.filter(card => !card.archived && card.status !== 'cancelled').map(card => [card.id, card.card_type] as const),
  )

type Ask = (ctx: Context, spec: SpecRecord, settings: Settings) => Promise<void> | void

const gates: Readonly<Record<Gate, Ask>> = {
  coverage: async (ctx, spec, settings) => checkCoverage(spec, settings, counting(await cardsOf(ctx.db, spec.id))),
  spec_validation: (_, __, settings) => {
    if (!settings.require_spec_validation) return
    throw blocked(
      'SPEC_VALIDATION_REQUIRED',
      'This board validates its specs: submit a validation (submit_spec_validation); a successful one moves the spec.',
      { missing: ['spec_validation'] },
    )
  },
  evaluation: (_, spec) => {
    if (!spec.skip_qualitative_validation) checkEvaluations(spec.evaluations, spec.validation_threshold)
  },
  criteria: (_, spec, settings) => checkCriteria(spec, settings),
  sprints: async (ctx, spec) => checkSprints(await openSprints(ctx.db, { spec: spec.id })),
  tasks: async (ctx, spec) => checkTasks(await cardsOf(ctx.db, spec.id)),
}

/**
 * Checks gates of a spec, in order; the first closed one decides the refusal.
 * @throws DomainError COVERAGE_REQUIRED, SPEC_VALIDATION_REQUIRED, EVALUATION_REJECTED, EVALUATION_REQUIRED,
 * EVALUATION_BELOW_THRESHOLD, CRITERIA_UNCOVERED, SPRINTS_OPEN, NO_CLOSED_SPRINT, TASKS_OPEN
 */
export async function checkGates(ctx: Context, spec: SpecRecord, names: readonly Gate[]): Promise<void> {
  if (names.length === 0) return
  const settings = await boardSettings(ctx.db, spec.board_id)
  for (const name of names) await gates[name](ctx, spec, settings)
}
