import type { SpecStatus } from '@specboard/contract'
import { dialect, type Json } from '@specboard/storage'
import { type RawBuilder, sql } from 'kysely'
import type { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { notFound } from '../../kernel/errors.ts'
import { parseJson, parseNullable, toJson } from '../../lib/json.ts'
import type { Flag } from '../../schema/columns.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import { refOf, type WithReference, withEvaluationRefs } from '../../schema/refs.ts'
import { onBoard, sameBoard } from '../../schema/same-board.ts'
import type { SpecsTable } from '../../schema/tables.ts'
import { type DesignSummaryRow, designSummaryOf, withDesigns } from '../architecture/summaries.ts'
import { knowledgeSummaryOf } from '../knowledge/operations.ts'
import { type KnowledgeSummaryRow, withKnowledge } from '../knowledge/store.ts'
import { planningFields } from '../planning-fields.ts'
import { shownProofOfSpec } from '../proof/proofs.ts'
import { type NestedQuestion, nestedQuestions, withQuestions } from '../questions/store.ts'
import { type CardBriefRow, cardBriefOf, withCards } from '../summaries/cards.ts'
import { changeCounts } from '../summaries/change-states.ts'
import type { Scenario } from './items.ts'

export type Status = z.infer<typeof SpecStatus>

/** Whether the current validation succeeded, which locks the spec (specs 5.2). */
const locked: RawBuilder<Flag> = sql`case when exists (
  select 1 from spec_validations v
  where v.id = specs.current_validation_id and ${sameBoard('v', 'specs')} and v.outcome = 'success'
) then 1 else 0 end`

type SpecRow = SpecsTable & WithReference & { readonly locked: Flag }

const recordById = hot<{ id: string }, SpecRow>((db, param) =>
  db
    .selectFrom('specs')
    .selectAll()
    .select([refOf('specs').as('ref'), locked.as('locked')])
    .where('id', '=', param('id')),
)

const recordsById = hot<{ ids: string; board: string }, SpecRow>((db, param) =>
  db
    .selectFrom('specs')
    .selectAll()
    .select([refOf('specs').as('ref'), locked.as('locked')])
    .where(eb => dialect.inList(eb.ref('id'), param('ids')))
    .where(onBoard('specs', param('board'))),
)

const wholeById = hot<
  { id: string; now: string },
  SpecRow & {
    cards: Json<CardBriefRow[]>
    knowledge_bases: Json<KnowledgeSummaryRow[]>
    architecture_designs: Json<DesignSummaryRow[]>
    qa_items: Json<NestedQuestion[]>
  }
>((db, param) =>
  db
    .selectFrom('specs')
    .selectAll()
    .select([
      refOf('specs').as('ref'),
      locked.as('locked'),
      withCards('spec', 'specs', param('now')).as('cards'),
      withKnowledge('specs').as('knowledge_bases'),
      withDesigns('specs').as('architecture_designs'),
      withQuestions('specs').as('qa_items'),
    ])
    .where('id', '=', param('id')),
)

/** A spec's own fields, parsed, for rules and writes. */
export type SpecRecord = ReturnType<typeof recordOf>

const flag = (value: Flag | null) => (value === null ? null : value === 1)

/** Scenarios as they are shown: old ones have no tests. */
const withTests = (scenarios: Scenario[] | null): Scenario[] | null =>
  scenarios?.map(scenario => (Array.isArray(scenario.tests) ? scenario : { ...scenario, tests: [] })) ?? null

const recordOf = (row: SpecRow) => ({
  ...planningFields<Status>(row),
  rev: row.rev,
  ideation_id: row.ideation_id,
  refinement_id: row.refinement_id,
  context: row.context,
  functional_requirements: parseNullable(row.functional_requirements),
  technical_requirements: parseNullable(row.technical_requirements),
  acceptance_criteria: parseNullable(row.acceptance_criteria),
  test_scenarios: withTests(parseNullable(row.test_scenarios)),
  business_rules: parseNullable(row.business_rules),
  api_contracts: parseNullable(row.api_contracts),
  decisions: parseNullable(row.decisions),
  screen_mockups: parseNullable(row.screen_mockups),
  skip_test_coverage: row.skip_test_coverage === 1,
  skip_rules_coverage: row.skip_rules_coverage === 1,
  skip_trs_coverage: row.skip_trs_coverage === 1,
  skip_contract_coverage: row.skip_contract_coverage === 1,
  skip_decisions_coverage: row.skip_decisions_coverage === 1,
  skip_qualitative_validation: row.skip_qualitative_validation === 1,
  validation_threshold: row.validation_threshold,
  require_task_validation: flag(row.require_task_validation),
  validation_min_confidence: row.validation_min_confidence,
  validation_min_completeness: row.validation_min_completeness,
  validation_max_drift: row.validation_max_drift,
  evaluations: parseJson(row.evaluations),
  current_validation_id: row.current_validation_id,
  changed_since_validated: parseNullable(row.changed_since_validated),
  removed_item_numbers: parseNullable(row.removed_item_numbers),
  standing: row.standing === 1,
  locked: row.locked === 1,
})

const columnKinds = {
  archived: 'flag',
  standing: 'flag',
  labels: 'json',
  functional_requirements: 'json',
  technical_requirements: 'json',
  acceptance_criteria: 'json',
  test_scenarios: 'json',
  business_rules: 'json',
  api_contracts: 'json',
  decisions: 'json',
  screen_mockups: 'json',
  evaluations: 'json',
  changed_since_validated: 'json',
  removed_item_numbers: 'json',
  skip_test_coverage: 'flag',
  skip_rules_coverage: 'flag',
  skip_trs_coverage: 'flag',
  skip_contract_coverage: 'flag',
  skip_decisions_coverage: 'flag',
  skip_qualitative_validation: 'flag',
  require_task_validation: 'flag',
} as const

/** The columns of all or some of a spec's fields; `locked` and `ref` are computed and have no column. */
export function columnsOf<Fields extends Partial<SpecRecord>>(
  fields: Fields,
): Pick<SpecsTable, keyof Fields & keyof SpecsTable> {
  const { locked: _, ref: __, ...stored } = fields
  const columns = Object.entries(stored).map(([name, value]) => {
    const kind = Object.hasOwn(columnKinds, name) ? columnKinds[name as keyof typeof columnKinds] : 'plain'
    if (kind === 'json') return [name, toJson(value)]
    if (kind === 'flag' && value !== null) return [name, value ? 1 : 0]
    return [name, value]
  })
  return Object.fromEntries(columns) as Pick<SpecsTable, keyof Fields & keyof SpecsTable>
}

/**
 * A spec's own fields.
 * @throws DomainError NOT_FOUND
 */
export async function readSpec(db: Db, id: string): Promise<SpecRecord> {
  const [row] = await recordById(db, { id })
  if (row === undefined) throw notFound('spec', id)
  return recordOf(row)
}

/** The own fields of some specs of a board, by id. */
export async function readSpecs(db: Db, board: string, ids: readonly string[]): Promise<Map<string, SpecRecord>> {
  const rows = await recordsById(db, { board, ids: JSON.stringify(ids) })
  return new Map(rows.map(row => [row.id, recordOf(row)]))
}

/** Maximum number of cards in the answer of a spec; further ones are only counted (walls 9). */
const maxCards = 500

/**
 * A spec with the nested parts that the caller may read, in one query.
 * @throws DomainError NOT_FOUND
 */
export async function readWholeSpec(ctx: Context, id: string) {
  const { access } = ctx
  const [row] = await wholeById(ctx.db, { id, now: ctx.now() })
  if (row === undefined) throw notFound('spec', id)
  const { removed_item_numbers: _, ...record } = recordOf(row)
  const cards = access.allows('CARDS_READ') ? parseJson(row.cards) : []
  const { proof, scenarios } = await shownProofOfSpec(ctx.db, record)
  return {
    ...record,
    test_scenarios:
      record.test_scenarios?.map(scenario => ({ ...scenario, proof: scenarios.get(scenario.id) ?? null })) ?? null,
    evaluations: access.allows('SPECS_READ_VALIDATIONS') ? withEvaluationRefs(record.ref, record.evaluations) : [],
    cards: cards.slice(0, maxCards).map(cardBriefOf),
    cards_total: cards.length,
    knowledge_bases: access.allows('KNOWLEDGE_READ')
      ? parseJson(row.knowledge_bases).map(item => knowledgeSummaryOf('spec', item))
      : [],
    architecture_designs: access.allows('ARCHITECTURE_READ')
      ? parseJson(row.architecture_designs).map(designSummaryOf)
      : [],
    qa_items: access.allows('QA_READ') ? nestedQuestions(row.qa_items, 'spec', id) : [],
    changes: await changeCounts(ctx.db, access, 'spec', record),
    proof,
  }
}
