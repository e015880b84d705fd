import { defaultBoardSettings, features } from '@specboard/contract'
import { type Implementation, implement } from '../implement.ts'
import { insertRow } from '../storage/rows.ts'
import { createBoardShare } from './shares.ts'
import { listBoards, readBoard } from './store.ts'

type Boards = typeof features.boards

const createBoard: Implementation<Boards['create_board']> = async ({ body }, ctx) => {
  const id = ctx.newId()
  const now = ctx.now()
  const { cognitive_llm_config, ...settings } = body.settings ?? {}
  await insertRow(ctx.db, 'boards', {
    id,
    name: body.name,
    description: body.description,
    owner_id: ctx.caller.id,
    settings: JSON.stringify({
      ...defaultBoardSettings,
      ...settings,
      cognitive_llm_config: cognitive_llm_config ?? {},
    }),
    seq: 0,
    created_at: now,
    updated_at: now,
  })
  await ctx.record({
    boardId: id,
    entity: { type: 'board', id },
    activity: { action: 'board_created', details: { name: body.name } },
  })
  return readBoard(ctx.db, id)
}

const listBoardsOfCaller: Implementation<Boards['list_boards']> = async ({ query }, ctx) => {
  const { view, ...paging } = query
  return listBoards(ctx.db, ctx.caller.id, view, paging)
}

const getBoard: Implementation<Boards['get_board']> = async ({ params }, ctx) => readBoard(ctx.db, params.board_id)

export const boardOperations = implement(features.boards, {
  create_board: createBoard,
  list_boards: listBoardsOfCaller,
  get_board: getBoard,
  create_board_share: createBoardShare,
})
