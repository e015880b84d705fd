import { parseNullable } from '../../lib/json.ts'
import type { Db } from '../../schema/database.ts'
import { hot } from '../../schema/hot.ts'
import type { SpecsTable } from '../../schema/tables.ts'
import type { Entity } from './result.ts'

const columns = [
  'id',
  'title',
  'status',
  'functional_requirements',
  'technical_requirements',
  'acceptance_criteria',
  'test_scenarios',
  'business_rules',
  'decisions',
  'skip_test_coverage',
  'skip_rules_coverage',
  'skip_trs_coverage',
] as const

const ofBoard = hot<{ board: string }, Pick<SpecsTable, (typeof columns)[number]>>((db, param) =>
  db
    .selectFrom('specs')
    .select(columns)
    .where('board_id', '=', param('board'))
    .where('archived', '=', 0)
    .where('standing', '=', 0)
    .orderBy('created_at')
    .orderBy('id'),
)

/** The fields of a spec that questions read. */
export type DiscoverySpec = Awaited<ReturnType<typeof readSpecs>>[number]

/** The specs of a board that are not archived, oldest first. */
export async function readSpecs(db: Db, boardId: string) {
  const rows = await ofBoard(db, { board: boardId })
  return rows.map(row => ({
    id: row.id,
    title: row.title,
    status: row.status,
    functional_requirements: parseNullable(row.functional_requirements) ?? [],
    technical_requirements: parseNullable(row.technical_requirements) ?? [],
    acceptance_criteria: parseNullable(row.acceptance_criteria) ?? [],
    test_scenarios: parseNullable(row.test_scenarios) ?? [],
    business_rules: parseNullable(row.business_rules) ?? [],
    decisions: parseNullable(row.decisions) ?? [],
    skip_test_coverage: row.skip_test_coverage === 1,
    skip_rules_coverage: row.skip_rules_coverage === 1,
    skip_trs_coverage: row.skip_trs_coverage === 1,
  }))
}

/** The spec as the entity that a row links to. */
export const specEntity = ({ id, title }: DiscoverySpec): Entity => ({ type: 'spec', id, title })
