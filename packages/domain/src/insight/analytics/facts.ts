/**
 * The records that analytics read individually: only the columns that the formulas need, never whole records with their
 * texts. Figures that the database can count are in tallies.ts.
 */

import type { Json } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import { parseJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { refOf } from '../../schema/refs.ts'
import { sameBoard } from '../../schema/same-board.ts'
import type { PrincipalKind } from '../../schema/tables.ts'
import { type EvaluationFields, submittedHere } from './evaluations.ts'
import type { SpecSubmission, TaskSubmission } from './gates.ts'
import { isDoneHere, isImported, isSubmitted, reported } from './imported.ts'
import { among, counting, type Population, reader, within } from './population.ts'

/** The sort order of an index: by the column, then oldest first, so that nothing has to be sorted. */
const byColumn = (alias: string, column: string) =>
  sql.join((column === 'id' ? ['id'] : [column, 'created_at', 'id']).map(name => sql.ref(`${alias}.${name}`)))

type CardStatus = 'not_started' | 'started' | 'in_progress' | 'validation' | 'on_hold' | 'done' | 'cancelled'

/** The fields of a card that the formulas read; the scores are from the last conclusion that was written here. */
export interface CardFact {
  readonly id: string
  readonly ref: string
  readonly title: string
  readonly status: CardStatus
  readonly card_type: 'normal' | 'test' | 'bug'
  readonly sprint_id: string | null
  readonly created_at: string
  readonly updated_at: string
  /** When it was done; null unless it was done here (B.1). */
  readonly completed_at: string | null
  readonly completeness: number | null
  readonly drift: number | null
}

/** Cards, oldest first. */
export const readCardFacts = reader(
  ['spec_id'],
  (
    column,
    param,
  ) => sql<CardFact>`select c.id, ${refOf('c')} as ref, c.title, c.status, c.card_type, c.sprint_id, c.created_at, c.updated_at,
      case when ${isDoneHere('c')} then c.moved_at end as completed_at,
      ${reported('c', 'completeness')} as completeness, ${reported('c', 'drift')} as drift
    from cards c where ${within('c', column, param)} order by ${byColumn('c', column)}`,
)

/** A card that has been submitted to its gate. */
export interface JudgedCard extends Pick<CardFact, 'id' | 'title' | 'card_type' | 'sprint_id' | 'status'> {
  readonly spec_id: string | null
}

/** The cards that have a validation of this service, oldest first. */
export const readJudgedCards = reader(
  ['board_id'],
  (column, param) => sql<JudgedCard>`select c.id, c.title, c.card_type, c.spec_id, c.sprint_id, c.status from cards c
    where ${within('c', column, param)} and exists (
      select 1 from task_validations v where v.card_id = c.id and ${sameBoard('v', 'c')} and ${isSubmitted('v')})
    order by ${byColumn('c', column)}`,
)

/** The fields of a task validation that the formulas read. */
export interface TaskValidationFact extends TaskSubmission {
  readonly card_id: string
  readonly card_type: string
  readonly sprint_id: string | null
  readonly actor_type: PrincipalKind
  readonly present: Flag
}

type WithText<Fact> = Omit<Fact, 'violations'> & { readonly threshold_violations: Json<string[]> }

const readTaskValidationRows = reader(
  ['board_id', 'spec_id', 'sprint_id', 'id'],
  (column, param) => sql<WithText<TaskValidationFact>>`select v.card_id, c.card_type, c.sprint_id, v.outcome,
      v.recommendation, v.confidence, v.completeness, v.drift, v.threshold_violations, v.actor_type, v.present
    from task_validations v join cards c on c.id = v.card_id and ${sameBoard('c', 'v')}
    where ${among(column === 'board_id' ? 'v.board_id' : `c.${column}`, param)} and ${counting('c', param)}
      and ${isSubmitted('v')}
    order by ${column === 'board_id' ? sql`v.board_id, v.card_id` : byColumn('c', column)}, v.id`,
)

const none: readonly string[] = []

const withViolations = <Row extends { readonly threshold_violations: Json<string[]> }>(row: Row) =>
  Object.assign(row, {
    violations: row.threshold_violations === '[]' ? none : parseJson(row.threshold_violations),
  })

/** The task validations of cards, by card, oldest first; like all readers below, without imported ones. */
export async function readTaskValidations(
  db: Db,
  column: 'board_id' | 'spec_id' | 'sprint_id' | 'id',
  population: Population,
): Promise<Map<string, TaskValidationFact[]>> {
  const rows = await readTaskValidationRows(db, column, population)
  return Map.groupBy(rows.map(withViolations), row => row.card_id)
}

/** The fields of a spec validation that the formulas read. */
export interface SpecValidationFact extends SpecSubmission {
  readonly spec_id: string
  readonly reviewer_id: string
  readonly created_at: string
  readonly actor_type: PrincipalKind
  readonly present: Flag
}

const readSpecValidationRows = reader(
  ['board_id'],
  (column, param) => sql<WithText<SpecValidationFact>>`select v.spec_id, v.reviewer_id, v.outcome, v.recommendation,
      v.completeness, v.assertiveness, v.ambiguity, v.threshold_violations, v.created_at, v.actor_type, v.present
    from specs s join spec_validations v on v.spec_id = s.id
    where ${within('s', column, param)} and not ${isImported('v')} order by ${byColumn('s', column)}, v.id`,
)

/** The validations of specs, by spec, oldest first. */
export async function readSpecValidations(
  db: Db,
  column: 'board_id',
  population: Population,
): Promise<Map<string, SpecValidationFact[]>> {
  const rows = await readSpecValidationRows(db, column, population)
  return Map.groupBy(rows.map(withViolations), row => row.spec_id)
}

/** When a record entered its status here: at its latest change of status, otherwise at its creation (B.1). */
const enteredAt = (alias: string, entity: string): RawBuilder<string> => sql`coalesce(
  (select max(e.created_at) from events e where e.entity_type = ${sql.lit(entity)}
    and e.entity_id = ${sql.ref(`${alias}.id`)} and ${sameBoard('e', alias)} and e.history_action = 'status_changed' and e.imported = 0),
  case when not ${isImported(alias)} then ${sql.ref(`${alias}.created_at`)} end)`

const completedAt = (alias: string, entity: string, final: string): RawBuilder<string | null> =>
  sql`case when ${sql.ref(`${alias}.status`)} = ${sql.lit(final)} then ${enteredAt(alias, entity)} end`

/** The fields of a record of the planning chain that the formulas read. */
export interface PlanningFact {
  readonly id: string
  readonly board_id: string
  readonly status: string
  readonly created_at: string
  /** When it entered its final status; null unless it is in that status and entered it here. */
  readonly completed_at: string | null
}

const planningReader = (table: 'ideations' | 'refinements', entity: string) =>
  reader(
    ['board_id'],
    (column, param) => sql<PlanningFact>`select r.id, r.board_id, r.status, r.created_at,
        ${completedAt('r', entity, 'done')} as completed_at
      from ${sql.table(table)} r where ${within('r', column, param)} order by ${byColumn('r', column)}`,
  )

/** Ideations, oldest first. */
export const readIdeationFacts = planningReader('ideations', 'ideation')

/** Refinements, oldest first. */
export const readRefinementFacts = planningReader('refinements', 'refinement')

/** The fields of a spec that the formulas read. */
export interface SpecFact extends PlanningFact {
  readonly title: string
  readonly status: 'draft' | 'review' | 'approved' | 'validated' | 'in_progress' | 'done' | 'cancelled'
  readonly current_validation_id: string | null
}

/** Specs, oldest first. */
export const readSpecFacts = reader(
  ['board_id'],
  (column, param) => sql<SpecFact>`select s.id, s.board_id, s.title, s.status, s.created_at, s.current_validation_id,
      ${completedAt('s', 'spec', 'done')} as completed_at
    from specs s where ${within('s', column, param)} and s.standing = 0 order by ${byColumn('s', column)}`,
)

/** The fields of a sprint that the formulas read. */
export interface SprintFact extends PlanningFact {
  readonly title: string
  readonly status: 'draft' | 'active' | 'review' | 'closed' | 'cancelled'
  readonly spec_id: string
}

/** Sprints, oldest first. */
export const readSprintFacts = reader(
  ['board_id', 'spec_id'],
  (column, param) => sql<SprintFact>`select s.id, s.board_id, s.title, s.status, s.spec_id, s.created_at,
      ${completedAt('s', 'sprint', 'closed')} as completed_at
    from sprints s where ${within('s', column, param)} order by ${byColumn('s', column)}`,
)

/** A stored evaluation of a spec or sprint. */
export interface EvaluationFact extends EvaluationFields {
  readonly id: string
  readonly evaluator_id: string
  readonly evaluator_name: string
  readonly recommendation: 'approve' | 'request_changes' | 'reject'
  readonly stale: boolean
  readonly created_at: string
  readonly imported?: true
}

const evaluationReader = <Column extends string>(table: 'specs' | 'sprints', columns: readonly Column[]) => {
  const rows = reader(
    columns,
    (column, param) => sql<{ id: string; evaluations: Json<EvaluationFact[]> }>`select r.id, r.evaluations
      from ${sql.table(table)} r where ${within('r', column, param)}
        and r.evaluations is not null and r.evaluations <> '[]'`,
  )
  return async (db: Db, column: Column, population: Population): Promise<Map<string, EvaluationFact[]>> =>
    new Map(
      (await rows(db, column, population)).flatMap(row => {
        const here = submittedHere(parseJson(row.evaluations))
        return here.length > 0 ? [[row.id, here]] : []
      }),
    )
}

/** The evaluations of specs, by spec, in order of submission; only specs that have any. */
export const readSpecEvaluations = evaluationReader('specs', ['board_id'])

/** The evaluations of sprints, by sprint, in order of submission; only sprints that have any. */
export const readSprintEvaluations = evaluationReader('sprints', ['board_id', 'spec_id'])
