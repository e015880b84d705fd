/** What people's pages and lost agents ask for: what may I do, and why not; what is on a board, and who (board). */
import { get_board_overview, list_board_members } from './board-overview.ts'
import { get_allowed_moves } from './moves.ts'

export const board = { get_allowed_moves, get_board_overview, list_board_members } as const
