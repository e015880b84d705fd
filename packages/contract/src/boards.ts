/** Boards (contract: access 3). */
import { z } from 'zod'
import { operation } from './operation.ts'
import { Id, Name, paging, Timestamp } from './shared.ts'
import { create_board_share } from './shares.ts'

const percent = z.int().min(0).max(100)

/** The governance rules of a board, each with its default (access 4). */
const settingsFields = {
  max_scenarios_per_card: z.int().min(1).max(100),
  skip_test_coverage_global: z.boolean(),
  skip_rules_coverage_global: z.boolean(),
  skip_trs_coverage_global: z.boolean(),
  skip_contract_coverage_global: z.boolean(),
  skip_decisions_coverage_global: z.boolean(),
  skip_test_evidence_global: z.boolean(),
  require_task_validation: z.boolean(),
  min_confidence: percent,
  min_completeness: percent,
  max_drift: percent,
  require_spec_validation: z.boolean(),
  min_spec_completeness: percent,
  min_spec_assertiveness: percent,
  max_spec_ambiguity: percent,
  require_test_task_for_bug: z.boolean(),
  bug_test_gate_min_severity: z.enum(['minor', 'major', 'critical']),
  cognitive_llm_config: z.record(z.string(), z.unknown()),
}

/** The complete settings of a board, as every answer shows them. */
export const BoardSettings = z.object(settingsFields).meta({ id: 'BoardSettings' })

/** Settings as a create or update sends them: any of the keys. */
export const BoardSettingsInput = z
  .object(settingsFields)
  .extend({ cognitive_llm_config: z.record(z.string(), z.unknown()).nullable() })
  .partial()
  .meta({ id: 'BoardSettingsInput' })

/** The defaults of a new board. */
export const defaultBoardSettings: z.output<typeof BoardSettings> = {
  max_scenarios_per_card: 3,
  skip_test_coverage_global: false,
  skip_rules_coverage_global: false,
  skip_trs_coverage_global: false,
  skip_contract_coverage_global: false,
  skip_decisions_coverage_global: false,
  skip_test_evidence_global: false,
  require_task_validation: false,
  min_confidence: 70,
  min_completeness: 80,
  max_drift: 50,
  require_spec_validation: false,
  min_spec_completeness: 80,
  min_spec_assertiveness: 80,
  max_spec_ambiguity: 30,
  require_test_task_for_bug: true,
  bug_test_gate_min_severity: 'minor',
  cognitive_llm_config: {},
}

export const Board = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    owner_id: Id,
    realm_id: z.literal(''),
    settings: BoardSettings,
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: 'Board' })

export const BoardListItem = z
  .object({
    id: Id,
    name: z.string(),
    description: z.string(),
    owner_id: Id,
    realm_id: z.literal(''),
    settings: BoardSettings,
    created_at: Timestamp,
    updated_at: Timestamp,
    card_count: z.int(),
    spec_count: z.int(),
    access: z.enum(['owner', 'grant', 'share']),
  })
  .meta({ id: 'BoardListItem' })

export const BoardCreate = z
  .object({ name: Name, description: z.string(), settings: BoardSettingsInput.nullable().exactOptional() })
  .meta({ id: 'BoardCreate' })

const keywords = ['project', 'workspace']

const list_boards = operation({
  name: 'list_boards',
  method: 'GET',
  path: '/api/v1/boards',
  permission: 'BOARDS_READ',
  title: 'List boards',
  description: 'List the boards that you own, were granted or share.',
  query: { view: z.enum(['my', 'shared', 'all']).default('all'), ...paging },
  list: BoardListItem,
  errors: [],
  keywords,
})

const create_board = operation({
  name: 'create_board',
  method: 'POST',
  path: '/api/v1/boards',
  permission: 'BOARDS_CREATE',
  title: 'Create board',
  description: 'Create a board; you become its owner.',
  body: BoardCreate,
  response: Board,
  status: 201,
  errors: [],
  keywords,
})

const get_board = operation({
  name: 'get_board',
  method: 'GET',
  path: '/api/v1/boards/{board_id}',
  permission: 'BOARDS_READ',
  title: 'Get board',
  description: 'Get a board with its settings, cards and granted agents.',
  params: { board_id: Id },
  response: Board,
  errors: [],
  keywords,
})

export const boards = { create_board, list_boards, get_board, create_board_share } as const
