import type { Rows } from './row.ts'

export const me: Rows<'me'> = {
  get_my_permissions: { args: scene => ({ board_id: scene.boardId }) },
}
