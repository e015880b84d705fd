/** What people's pages and lost agents ask for about a board (board). */
import { get_board_overview, list_board_members } from './board-overview.ts'

export const board = { get_board_overview, list_board_members } as const
