import type { Rows } from './row.ts'

export const work: Rows<'work'> = {
  list_board_events: { args: scene => ({ board_id: scene.boardId, limit: 2 }) },
  stream_board_events: { args: scene => ({ board_id: scene.boardId, after: 0 }) },
}
