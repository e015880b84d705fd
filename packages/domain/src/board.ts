import { features } from '@specboard/contract'
import { implement } from './kernel/implement.ts'
import { listBoardMembers } from './workspace/boards/members.ts'
import { getBoardOverview } from './workspace/boards/overview.ts'

/** What pages and lost agents ask for about a board, from several rooms. */
export const boardPageOperations = implement(features.board, {
  get_board_overview: getBoardOverview,
  list_board_members: listBoardMembers,
})
