/** Boards (access 3, 5, 6). */
import { z } from 'zod'
import { operation } from '../operation.ts'
import { checkedByImplementation } from '../permission-rules.ts'
import { BoardKey, commaListOf, Id, includeArchived, Name, paging, Timestamp } from '../shared.ts'
import { AgentSummary } from './agents.ts'
import { BoardSettings, BoardSettingsInput } from './board-settings.ts'
import { Card } from './card.ts'
import { create_card } from './cards.ts'
import { create_board_share, delete_board_share, list_board_shares, update_board_share } from './shares.ts'
import { CardStatus } from './summaries.ts'

const fields = {
  id: Id,
  key: BoardKey,
  name: z.string(),
  description: z.string(),
  owner_id: Id,
  realm_id: z.literal(''),
  settings: BoardSettings,
  created_at: Timestamp,
  updated_at: Timestamp,
}

export const Board = z.object({ ...fields, cards: z.array(Card), agents: z.array(AgentSummary) }).meta({ id: 'Board' })

export const BoardListItem = z
  .object({ ...fields, card_count: z.int(), spec_count: z.int(), access: z.enum(['owner', 'grant', 'share']) })
  .meta({ id: 'BoardListItem' })

export const BoardCreate = z
  .object({
    name: Name,
    description: z.string(),
    settings: BoardSettingsInput.nullable().exactOptional(),
    key: BoardKey.exactOptional().describe('prefix of its references: WS-14'),
  })
  .meta({ id: 'BoardCreate' })

export const BoardUpdate = z
  .object({
    name: Name.exactOptional(),
    description: z.string().nullable().exactOptional(),
    settings: BoardSettingsInput.nullable().exactOptional(),
    key: BoardKey.exactOptional(),
  })
  .meta({ id: 'BoardUpdate' })

/** A card in a column (access 5). */
export const ColumnCard = Card.pick({
  id: true,
  ref: true,
  board_id: true,
  spec_id: true,
  sprint_id: true,
  title: true,
  description: true,
  status: true,
  priority: true,
  position: true,
  assignee_id: true,
  created_by: true,
  created_at: true,
  updated_at: true,
  due_date: true,
  labels: true,
  test_scenario_ids: true,
  conclusions: true,
  card_type: true,
  origin_task_id: true,
  severity: true,
  linked_test_task_ids: true,
  archived: true,
  claim: true,
})
  .extend({ labels: z.array(z.string()) })
  .meta({ id: 'ColumnCard' })

export const BoardColumns = z
  .object({
    board_id: Id,
    columns: z.partialRecord(
      CardStatus,
      z.union([z.array(ColumnCard), z.object({ total: z.int().min(0), cards: z.array(ColumnCard) })]),
    ),
  })
  .meta({ id: 'BoardColumns' })

/** The number of records of each kind that an archive or restore changed. */
export const TreeCounts = z
  .object({ ideations: z.int(), refinements: z.int(), specs: z.int(), sprints: z.int(), cards: z.int() })
  .meta({ id: 'TreeCounts' })

const keywords = ['project', 'workspace']

const create_board = operation({
  name: 'create_board',
  method: 'POST',
  path: '/api/v1/boards',
  permission: 'BOARDS_CREATE',
  changesAccess: true,
  title: 'Create board',
  description: 'Create a board; you become its owner.',
  body: BoardCreate,
  response: Board,
  status: 201,
  errors: ['LIMIT_REACHED', 'KEY_TAKEN'],
  keywords,
})

const list_boards = operation({
  name: 'list_boards',
  method: 'GET',
  path: '/api/v1/boards',
  permission: 'BOARDS_READ',
  title: 'List boards',
  description: 'List the boards that you see.',
  aside: ['view'],
  query: { view: z.enum(['my', 'shared', 'all']).default('all'), ...paging },
  list: BoardListItem,
  errors: [],
  keywords,
})

const get_board = operation({
  name: 'get_board',
  method: 'GET',
  path: '/api/v1/boards/{board_id}',
  permission: 'BOARDS_READ',
  reads: 'board',
  title: 'Get board',
  description: 'Get a board with its settings and cards.',
  params: { board_id: Id },
  response: Board,
  parts: { agents: 'AGENTS_READ', cards: 'CARDS_READ' },
  errors: [],
  keywords,
})

const BoardUpdated = Board.extend({
  warnings: z.array(z.string()).exactOptional().describe('consequences of these settings'),
}).meta({ id: 'BoardUpdated' })

const update_board = operation({
  name: 'update_board',
  method: 'PATCH',
  path: '/api/v1/boards/{board_id}',
  permission: 'BOARDS_UPDATE',
  reads: 'board',
  title: 'Update board',
  description: 'Change a board; settings are merged.',
  params: { board_id: Id },
  body: BoardUpdate,
  response: BoardUpdated,
  errors: ['KEY_TAKEN'],
  keywords: [...keywords, 'governance', 'gates', 'rename'],
})

const delete_board = operation({
  name: 'delete_board',
  method: 'DELETE',
  path: '/api/v1/boards/{board_id}',
  permission: 'BOARDS_DELETE',
  changesAccess: true,
  title: 'Delete board',
  description: 'Delete a board with everything on it; owner only.',
  params: { board_id: Id },
  confirm: true,
  errors: [],
  keywords,
})

const get_board_columns = operation({
  name: 'get_board_columns',
  method: 'GET',
  path: '/api/v1/boards/{board_id}/columns',
  permission: 'BOARDS_READ',
  reads: 'board',
  title: 'Get board columns',
  description: 'Get the cards of a board by status.',
  params: { board_id: Id },
  query: {
    ...includeArchived,
    status: commaListOf(CardStatus.options).optional().describe('comma list'),
    limit: z.int().min(1).max(200).optional().describe('cards of each column'),
    offset: z.int().min(0).optional(),
  },
  response: BoardColumns,
  errors: [],
  keywords: ['kanban', 'lanes', 'list cards', 'task list'],
})

const tree = {
  board_id: Id,
  entity_type: z.string().describe('ideation, refinement or spec'),
  entity_id: Id,
}

const archive_record = operation({
  name: 'archive_record',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/archive/{entity_type}/{entity_id}',
  permission: 'BOARDS_ARCHIVE',
  title: 'Archive record',
  description: 'Archive an ideation, refinement or spec with all below it.',
  params: tree,
  response: z.object({ success: z.literal(true), archived_count: TreeCounts }).meta({ id: 'Archived' }),
  confirm: { above: 20 },
  errors: ['VALIDATION_ERROR'],
  // Checked once the record is found.
  asks: checkedByImplementation({ permission: 'BOARDS_ARCHIVE' }),
  effect: 'repeatable',
  keywords: ['hide', 'shelve'],
})

const restore_record = operation({
  name: 'restore_record',
  method: 'POST',
  path: '/api/v1/boards/{board_id}/restore/{entity_type}/{entity_id}',
  permission: 'BOARDS_RESTORE',
  title: 'Restore record',
  description: 'Restore an archived record with everything below it.',
  params: tree,
  response: z.object({ success: z.literal(true), restored_count: TreeCounts }).meta({ id: 'Restored' }),
  errors: ['VALIDATION_ERROR'],
  // Checked once the record is found.
  asks: checkedByImplementation({ permission: 'BOARDS_RESTORE' }),
  effect: 'repeatable',
  keywords: ['unarchive', 'undo'],
})

export const boards = {
  create_board,
  list_boards,
  get_board,
  update_board,
  delete_board,
  create_card,
  get_board_columns,
  archive_record,
  restore_record,
  create_board_share,
  list_board_shares,
  update_board_share,
  delete_board_share,
} as const
