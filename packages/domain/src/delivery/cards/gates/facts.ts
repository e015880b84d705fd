import { dialect, type Json } from '@specboard/storage'
import { type ExpressionBuilder, sql } from 'kysely'
import { type Settings, settingsOf } from '../../../kernel/board-settings.ts'
import type { Context } from '../../../kernel/context.ts'
import { notFound } from '../../../kernel/errors.ts'
import { parseJson } from '../../../lib/json.ts'
import { type ProofFacts, proofFacts } from '../../../planning/proof/gate.ts'
import { proofOfCard } from '../../../planning/proof/records.ts'
import { asksProof } from '../../../planning/proof/rules.ts'
import { type Waivable, waivedGates } from '../../../planning/proof/waivers.ts'
import { workersOnCard } from '../../../planning/review/participants.ts'
import { isSeparate, type Participation } from '../../../planning/review/rules.ts'
import { readSpec, type SpecRecord, type Status as SpecStatus } from '../../../planning/specs/store.ts'
import { type ClaimRecord, type ClaimRow, claimOf, withClaim } from '../../../planning/summaries/claims.ts'
import type { Flag } from '../../../schema/columns.ts'
import type { Db } from '../../../schema/database.ts'
import { hot } from '../../../schema/hot.ts'
import { refOf } from '../../../schema/refs.ts'
import { type OnBoard, onBoard, sameBoard } from '../../../schema/same-board.ts'
import type {
  BoardsTable,
  CardsTable,
  Schema,
  SpecsTable,
  SprintsTable,
  TaskValidationsTable,
} from '../../../schema/tables.ts'
import { type CardRecord, type CardRow, recordOf, type Status } from '../../card-record/record.ts'
import { type AttemptColumns, type Attempts, attemptsOf, withAttempts } from '../../claims/attempts.ts'
import { type Reservation, reservationOf } from '../../claims/reservation.ts'
import { type ChangeFacts, changeFacts, noChangeFacts } from '../../git/change-gates.ts'
import type { TestTask } from './bug-tests.ts'
import { type FullColumn, fullColumns } from './column-limit.ts'
import type { Overrides } from './thresholds.ts'

/** The fields of a test scenario that gates read. */
export interface ScenarioFacts {
  readonly id: string
  readonly title: string
  readonly status: string
}

/** The fields of a card's spec that gates read. */
export interface SpecFacts extends Overrides {
  readonly id: string
  readonly ref: string
  readonly status: SpecStatus
  readonly skip_test_coverage: boolean
  /** Whether its cards are small changes (crew 6.1). */
  readonly standing: boolean
  readonly test_scenarios: readonly ScenarioFacts[]
}

/** The fields of a sprint that gates read. */
export interface SprintFacts extends Overrides {
  readonly id: string
  readonly status: string
}

/** Everything that the gates of a move and the routing of a validation depend on: read by one query, and a second one for
 * test cards and for reviewed cards of a board that separates review. */
export interface MoveFacts {
  readonly card: CardRecord
  readonly settings: Settings
  readonly spec: SpecFacts | null
  /** The card's own sprint. */
  readonly sprint: SprintFacts | null
  /** The sprints of the spec that are neither archived nor cancelled, oldest first. */
  readonly usableSprints: readonly {
    readonly id: string
    readonly ref: string
    readonly title: string
    readonly status: string
  }[]
  /** The outcome of the active validation; null without one. */
  readonly activeOutcome: 'success' | 'failed' | null
  /**
   * Whether the active validation came from an agent that took no part in the work; true on a board that does not
   * separate review (work 4).
   */
  readonly reviewedSeparately: boolean
  /**
   * Whether the active validation came from a present person; true on a board that does not require one (people 1.3).
   */
  readonly reviewedPresent: boolean
  /** Who worked on the card; empty on a board where that does not matter for `done` (people 1.3). */
  readonly finishers: readonly Participation[]
  /** When work on a test card last began; null for one that was not worked on, and for other cards (cards 4.4). */
  readonly workedSince: string | null
  /** The cards that this one waits for and that are not done, cancelled or archived, in the order of the links. */
  readonly openDependencies: readonly {
    readonly id: string
    readonly ref: string
    readonly title: string
    readonly status: Status
  }[]
  readonly testTasks: readonly TestTask[]
  /** The requirements on changes that the card does not meet yet before it may be done (git 6). */
  readonly changes: ChangeFacts
  /** The proof that the card lacks before it may be done; null if its board requires none (evidence 8). */
  readonly proof: ProofFacts | null
  /** The gates that the card is exempt from. */
  readonly waived: readonly Waivable[]
  /** The full columns of the board (access 4). */
  readonly fullColumns: readonly FullColumn[]
  /** The active claim on the card. */
  readonly claim: ClaimRecord | null
  /** The reservation in force. */
  readonly reservation: Reservation | null
  readonly attempts: Attempts
}

const overrideColumns = [
  'require_task_validation',
  'validation_min_confidence',
  'validation_min_completeness',
  'validation_max_drift',
] as const

interface OverrideColumns {
  require_task_validation: Flag | null
  validation_min_confidence: number | null
  validation_min_completeness: number | null
  validation_max_drift: number | null
}

/** The overrides of a row, with the flag as a boolean. */
const overridesOf = (row: OverrideColumns): Overrides => ({
  require_task_validation: row.require_task_validation === null ? null : row.require_task_validation === 1,
  validation_min_confidence: row.validation_min_confidence,
  validation_min_completeness: row.validation_min_completeness,
  validation_max_drift: row.validation_max_drift,
})

type SpecRow = OverrideColumns &
  Pick<SpecsTable, 'id' | 'status' | 'skip_test_coverage' | 'test_scenarios' | 'standing'> & { ref: string }
type SprintRow = OverrideColumns & Pick<SprintsTable, 'id' | 'status'>
type TaskRow = Pick<CardsTable, 'id' | 'card_type' | 'spec_id' | 'created_at' | 'test_scenario_ids'>

type ActiveRow = Pick<TaskValidationsTable, 'submitted_by'> & { present: Flag; outcome: 'success' | 'failed' }

interface FactColumns extends AttemptColumns {
  settings: BoardsTable['settings']
  spec: Json<SpecRow> | null
  sprint: Json<SprintRow> | null
  usable_sprints: Json<MoveFacts['usableSprints'][number][]>
  active: Json<ActiveRow> | null
  open_dependencies: Json<MoveFacts['openDependencies'][number][]>
  test_tasks: Json<TaskRow[]>
  claim: Json<ClaimRow> | null
  reserved_name: string | null
}

const withFacts = (eb: ExpressionBuilder<Schema, 'cards'>, now: string) =>
  [
    withClaim('cards', now).as('claim'),
    ...withAttempts(now, 'cards'),
    sql<string | null>`(select name from agents where agents.id = cards.reserved_for)`.as('reserved_name'),
    eb
      .selectFrom('boards')
      .select('boards.settings')
      .whereRef('boards.id', '=', 'cards.board_id')
      .$asScalar()
      .$notNull()
      .as('settings'),
    dialect
      .jsonObjectFrom(
        eb
          .selectFrom('specs')
          .select(['specs.id', 'specs.status', 'specs.skip_test_coverage', 'specs.test_scenarios', 'specs.standing'])
          .select(refOf('specs').as('ref'))
          .select(overrideColumns.map(name => `specs.${name}` as const))
          .whereRef('specs.id', '=', 'cards.spec_id')
          .where(sameBoard('specs', 'cards')),
      )
      .as('spec'),
    dialect
      .jsonObjectFrom(
        eb
          .selectFrom('sprints')
          .select(['sprints.id', 'sprints.status'])
          .select(overrideColumns.map(name => `sprints.${name}` as const))
          .whereRef('sprints.id', '=', 'cards.sprint_id')
          .where(sameBoard('sprints', 'cards')),
      )
      .as('sprint'),
    dialect
      .jsonArrayFrom(
        eb
          .selectFrom('sprints as usable')
          .select(['usable.id', refOf('usable').as('ref'), 'usable.title', 'usable.status'])
          .whereRef('usable.spec_id', '=', 'cards.spec_id')
          .where(sameBoard('usable', 'cards'))
          .where('usable.archived', '=', 0)
          .where('usable.status', '<>', 'cancelled')
          .orderBy('usable.created_at')
          .orderBy('usable.id'),
      )
      .as('usable_sprints'),
    dialect
      .jsonObjectFrom(
        eb
          .selectFrom('task_validations')
          .select(['task_validations.outcome', 'task_validations.submitted_by', 'task_validations.present'])
          .$narrowType<{ outcome: 'success' | 'failed' }>()
          .whereRef('task_validations.card_id', '=', 'cards.id')
          .where(sameBoard('task_validations', 'cards'))
          .whereRef('task_validations.stay', '=', 'cards.validation_stay')
          .orderBy('task_validations.created_at', 'desc')
          .orderBy('task_validations.id', 'desc')
          .limit(1),
      )
      .as('active'),
    dialect
      .jsonArrayFrom(
        eb
          .selectFrom('card_dependencies')
          .innerJoin('cards as awaited', 'awaited.id', 'card_dependencies.depends_on_id')
          .where(sameBoard('awaited', 'card_dependencies'))
          .select(['awaited.id', refOf('awaited').as('ref'), 'awaited.title', 'awaited.status'])
          .$narrowType<{ status: Status }>()
          .whereRef('card_dependencies.card_id', '=', 'cards.id')
          .where(sameBoard('card_dependencies', 'cards'))
          .where('awaited.status', '<>', 'done')
          .where('awaited.status', '<>', 'cancelled')
          .where('awaited.archived', '=', 0)
          .orderBy('card_dependencies.created_at')
          .orderBy('card_dependencies.id'),
      )
      .as('open_dependencies'),
    dialect
      .jsonArrayFrom(
        eb
          .selectFrom('cards as task')
          .select(['task.id', 'task.card_type', 'task.spec_id', 'task.created_at', 'task.test_scenario_ids'])
          // PostgreSQL would read all cards for a subquery over the elements, but reads them one by one by index for an
          // array.
          .where(inner => dialect.inList(inner.ref('task.id'), sql.ref<string>('cards.linked_test_task_ids')))
          .where(sameBoard('task', 'cards')),
      )
      .as('test_tasks'),
  ] as const

const factsById = hot<{ id: string; now: string }, CardRow & FactColumns>((db, param) =>
  db
    .selectFrom('cards')
    .selectAll()
    .select(refOf('cards').as('ref'))
    .select(eb => withFacts(eb, param('now')))
    .where('id', '=', param('id')),
)

const details = (member: string) => dialect.jsonText(sql.ref<string | null>('e.details'), member)

interface Beginning {
  readonly since: string | null
  /** Whether one was imported. */
  readonly imported: Flag | null
}

/** The entries by which a card enters work from elsewhere; `in_progress` and `validation` form one period. */
const beginnings = hot<OnBoard, Beginning>(
  (_, param) => sql<Beginning>`select max(case when e.imported = 0 then e.created_at end) as since,
    max(e.imported) as imported from events e
    where e.card_id = ${param('id')} and ${onBoard('e', param('board_id'))} and (
      e.action = 'card_created' and ${details('status')} in ('started', 'in_progress')
      or e.action = 'card_moved' and ${details('to_status')} in ('started', 'in_progress')
        and ${details('from_status')} not in ('started', 'in_progress')
        and not (${details('to_status')} = 'in_progress' and ${details('from_status')} = 'validation'))`,
)

const imports = hot<OnBoard, { at: string | null }>(
  (_, param) => sql<{ at: string | null }>`select max(imported_at) as at from external_ids
    where entity_id = ${param('id')} and ${onBoard('external_ids', param('board_id'))}`,
)

/**
 * The time after which reports of a card count: when work on it last began, and never a report that came with an import
 * (exchange 1); null when it was never worked on. For an imported beginning it is the time of the import.
 */
async function workedSince(db: Db, card: OnBoard): Promise<string | null> {
  const [beginning] = await beginnings(db, card)
  const since = beginning?.since ?? null
  const imported = (await imports(db, card))[0]?.at ?? null
  if (since === null) return beginning?.imported === 1 ? imported : null
  return imported !== null && imported > since ? imported : since
}

const nullable = <Row, Value>(text: Json<Row> | null, value: (row: Row) => Value): Value | null =>
  text === null ? null : value(parseJson(text))

const specFactsOf = ({ test_scenarios, skip_test_coverage, standing, ...row }: SpecRow): SpecFacts => ({
  id: row.id,
  ref: row.ref,
  status: row.status as SpecStatus,
  skip_test_coverage: skip_test_coverage === 1,
  standing: standing === 1,
  test_scenarios: test_scenarios === null ? [] : parseJson(test_scenarios),
  ...overridesOf(row),
})

const sprintFactsOf = (row: SprintRow): SprintFacts => ({ id: row.id, status: row.status, ...overridesOf(row) })

/** A spec to put a card on. */
export interface CardSpec extends SpecFacts {
  readonly board_id: string
  readonly archived: boolean
}

/** A sprint to put a card into. */
export interface CardSprint extends SprintFacts {
  readonly board_id: string
  readonly spec_id: string
  readonly archived: boolean
}

const specById = hot<{ id: string }, SpecRow & Pick<SpecsTable, 'board_id' | 'archived'>>((db, param) =>
  db
    .selectFrom('specs')
    .select(['id', 'board_id', 'archived', 'status', 'skip_test_coverage', 'test_scenarios', 'standing'])
    .select(refOf('specs').as('ref'))
    .select(overrideColumns)
    .where('id', '=', param('id')),
)

const sprintById = hot<{ id: string }, SprintRow & Pick<SprintsTable, 'board_id' | 'spec_id' | 'archived'>>(
  (db, param) =>
    db
      .selectFrom('sprints')
      .select(['id', 'board_id', 'spec_id', 'archived', 'status'])
      .select(overrideColumns)
      .where('id', '=', param('id')),
)

/** A spec by id; undefined when it does not exist. */
export async function findCardSpec(db: Db, id: string): Promise<CardSpec | undefined> {
  const [row] = await specById(db, { id })
  return row && { ...specFactsOf(row), board_id: row.board_id, archived: row.archived === 1 }
}

/** A sprint by id; undefined when it does not exist. */
export async function findCardSprint(db: Db, id: string): Promise<CardSprint | undefined> {
  const [row] = await sprintById(db, { id })
  return row && { ...sprintFactsOf(row), board_id: row.board_id, spec_id: row.spec_id, archived: row.archived === 1 }
}

/**
 * The current facts for the gates of a card's moves.
 * @throws DomainError NOT_FOUND
 */
export async function readMoveFacts(ctx: Pick<Context, 'db' | 'now'>, cardId: string): Promise<MoveFacts> {
  const facts = await findMoveFacts(ctx, cardId)
  if (facts === undefined) throw notFound('card', cardId)
  return facts
}

/** The spec of a card that has scenarios; null for any other. */
export const specOf = async (
  db: Db,
  { spec_id, test_scenario_ids }: Pick<CardRecord, 'spec_id' | 'test_scenario_ids'>,
): Promise<SpecRecord | null> => (spec_id === null || test_scenario_ids.length === 0 ? null : readSpec(db, spec_id))

/** The facts of the gate `proof` about a card with its current proof; null if its board requires none (evidence 8). */
export const cardProofFacts = (db: Db, card: CardRecord, settings: Settings): Promise<ProofFacts | null> =>
  proofFacts(db, { ...card, type: 'card' }, settings, async () =>
    proofOfCard(db, card, await specOf(db, card), settings),
  )

/**
 * The facts for the gates of `done` that look at the results of the work; nothing is required of a card that is done
 * (evidence 8, git 6).
 */
async function evidenceFacts(
  db: Db,
  card: CardRecord,
  settings: Settings,
): Promise<Pick<MoveFacts, 'changes' | 'proof' | 'waived'>> {
  const { require_merged_change, require_green_checks } = settings
  const asks = asksProof(settings) || require_merged_change || require_green_checks
  if (!asks || card.status === 'done') return { changes: noChangeFacts, proof: null, waived: [] }
  const waived = await waivedGates(db, card.id)
  const requirements = {
    min_evidence_tier: settings.min_evidence_tier,
    require_merged_change: require_merged_change && !waived.includes('change'),
    require_green_checks: require_green_checks && !waived.includes('checks'),
  }
  return {
    changes: card.card_type === 'test' ? noChangeFacts : await changeFacts(db, card.board_id, card.id, requirements),
    proof: waived.includes('proof') ? null : await cardProofFacts(db, card, settings),
    waived,
  }
}

/** The same; undefined for a card that does not exist. */
export async function findMoveFacts(ctx: Pick<Context, 'db' | 'now'>, cardId: string): Promise<MoveFacts | undefined> {
  const [row] = await factsById(ctx.db, { id: cardId, now: ctx.now() })
  if (row === undefined) return undefined
  const settings = settingsOf(row.settings)
  const active = nullable(row.active, validation => validation)
  const { require_separate_reviewer, approval_card_validation, approval_done } = settings
  const judged = active !== null && (require_separate_reviewer || approval_card_validation === 'separate')
  const finishers = judged || approval_done === 'separate' ? await workersOnCard(ctx.db, row) : []
  const card = recordOf(row)
  return {
    card,
    settings,
    spec: nullable(row.spec, specFactsOf),
    sprint: nullable(row.sprint, sprintFactsOf),
    usableSprints: parseJson(row.usable_sprints),
    activeOutcome: active?.outcome ?? null,
    reviewedSeparately: !judged || isSeparate(finishers, active.submitted_by),
    reviewedPresent: approval_card_validation !== 'person' || active?.present === 1,
    finishers,
    workedSince: row.card_type === 'test' ? await workedSince(ctx.db, card) : null,
    openDependencies: parseJson(row.open_dependencies),
    testTasks: parseJson(row.test_tasks).map(task => ({
      ...task,
      card_type: task.card_type as TestTask['card_type'],
      test_scenario_ids: parseJson(task.test_scenario_ids),
    })),
    ...(await evidenceFacts(ctx.db, card, settings)),
    fullColumns: await fullColumns(ctx.db, card.board_id, settings),
    claim: claimOf(row.claim),
    reservation: reservationOf(card, row.reserved_name, ctx.now()),
    attempts: attemptsOf(card, row.lost_now === 1, row.max_attempts),
  }
}
