import type { Card, CardKnowledge, Conclusion, RequirementChange } from '@specboard/contract'
import type { z } from 'zod'
import { parseJson, parseNullable, toJson } from '../../lib/json.ts'
import { numberOf, partNumberOf } from '../../lib/reference.ts'
import type { StoredKnowledge } from '../../schema/contents.ts'
import { numberedEntries, type WithReference } from '../../schema/refs.ts'
import type { CardsTable } from '../../schema/tables.ts'

type CardFields = z.output<typeof Card>

export type Status = CardFields['status']
export type CardType = CardFields['card_type']
export type Severity = NonNullable<CardFields['severity']>
export type Report = z.output<typeof Conclusion>
export type Knowledge = z.output<typeof CardKnowledge>

/** A card's own fields, parsed, for rules and writes. */
export type CardRecord = Omit<
  CardFields,
  | 'type'
  | 'claim'
  | 'attempts'
  | 'validations'
  | 'dependencies'
  | 'architecture_designs'
  | 'attachments'
  | 'qa_items'
  | 'comments'
  | 'changed_since_claimed'
  | 'overlaps'
  | 'scope_drift'
  | 'changes'
  | 'proof'
> &
  Trials & {
    /** The number of times that the card has entered `validation` (cards 5.4). */
    readonly validation_stay: number
  }

/** What happened to a card besides its own fields: its reservation and its attempts (crew 4.4, 4.6). */
export type Trials = Pick<
  CardsTable,
  'reserved_for' | 'reserved_until' | 'failed_attempts' | 'lost_attempts' | 'attempt_limit' | 'changes_seen_at'
> & {
  /** Changes that others made to its requirements, oldest first (crew 4.7). */
  readonly requirement_changes: readonly z.output<typeof RequirementChange>[] | null
}

/** The initial values of a new card. */
export const untried: Trials = {
  reserved_for: null,
  reserved_until: null,
  failed_attempts: 0,
  lost_attempts: 0,
  attempt_limit: null,
  requirement_changes: null,
  changes_seen_at: null,
}

/** A row with the reference of its card. */
export type CardRow = CardsTable & WithReference

const checkpointOf = ({ id, checkpoint }: Pick<CardRow, 'id' | 'checkpoint'>): CardFields['checkpoint'] =>
  checkpoint === null ? null : { card_id: id, ...parseJson(checkpoint) }

/** The fields of a row, parsed. */
export const recordOf = (row: CardRow): CardRecord => ({
  id: row.id,
  ref: row.ref,
  board_id: row.board_id,
  title: row.title,
  description: row.description,
  details: row.details,
  card_type: row.card_type as CardType,
  status: row.status as Status,
  priority: row.priority as CardFields['priority'],
  position: row.position,
  spec_id: row.spec_id,
  sprint_id: row.sprint_id,
  assignee_id: row.assignee_id,
  due_date: row.due_date,
  labels: parseNullable(row.labels),
  paths: parseJson(row.paths),
  test_scenario_ids: parseJson(row.test_scenario_ids),
  screen_mockups: parseJson(row.screen_mockups),
  knowledge_bases: knowledgeOf(row),
  origin_task_id: row.origin_task_id,
  severity: row.severity as Severity | null,
  expected_behavior: row.expected_behavior,
  observed_behavior: row.observed_behavior,
  steps_to_reproduce: row.steps_to_reproduce,
  action_plan: row.action_plan,
  regression_test: row.regression_test,
  check: parseNullable(row.planned_check),
  ...(row.imported === 1 && { imported: true }),
  linked_test_task_ids: parseJson(row.linked_test_task_ids),
  rev: row.rev,
  conclusions: parseJson(row.conclusions),
  validation_stay: row.validation_stay,
  created_by: row.created_by,
  created_at: row.created_at,
  updated_at: row.updated_at,
  moved_at: row.moved_at,
  moved_by: row.moved_by,
  archived: row.archived === 1,
  pre_archive_status: row.pre_archive_status,
  reserved_for: row.reserved_for,
  reserved_until: row.reserved_until,
  failed_attempts: row.failed_attempts,
  lost_attempts: row.lost_attempts,
  attempt_limit: row.attempt_limit,
  requirement_changes: parseNullable(row.requirement_changes),
  changes_seen_at: row.changes_seen_at,
  checkpoint: checkpointOf(row),
})

/** The knowledge of a card with its references (crew 8.2). */
const knowledgeOf = ({ ref, knowledge_bases }: CardRow): Knowledge[] =>
  numberedEntries(parseJson(knowledge_bases)).map(({ number, ...entry }) => ({ ...entry, ref: `${ref}.k${number}` }))

/** Knowledge as stored in its card: references change with the key of the board. */
const storedKnowledge = ({ ref, ...entry }: Knowledge): StoredKnowledge => ({ ...entry, number: partNumberOf(ref) })

const jsonColumns: ReadonlySet<string> = new Set([
  'labels',
  'paths',
  'test_scenario_ids',
  'screen_mockups',
  'linked_test_task_ids',
  'conclusions',
  'checkpoint',
  'requirement_changes',
])

const columnOf = (name: string, value: unknown): unknown => {
  if (name === 'knowledge_bases') return toJson((value as Knowledge[]).map(storedKnowledge))
  if (name === 'archived' || name === 'imported') return value ? 1 : 0
  return jsonColumns.has(name) ? toJson(value) : value
}

/** The columns of all or some of a card's fields; a `ref` gives its number. */
export function columnsOf(record: CardRecord): CardsTable
export function columnsOf(fields: Partial<CardRecord>): Partial<CardsTable>
export function columnsOf(fields: Partial<CardRecord>): Partial<CardsTable> {
  const { ref, check, ...stored } = fields
  return {
    ...Object.fromEntries(Object.entries(stored).map(([name, value]) => [name, columnOf(name, value)])),
    ...(ref !== undefined && { number: numberOf(ref) }),
    ...(check !== undefined && { planned_check: toJson(check) }),
  }
}
