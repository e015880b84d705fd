/** What a team of agents needs to share a board (work). */
import { list_board_events, stream_board_events } from './board-events.ts'

export const work = { list_board_events, stream_board_events }
