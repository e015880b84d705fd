import type { World } from '../support/world.ts'
import type { Rows } from './row.ts'

const reserved = (world: World, board_id: string) => world.ok('reserve_paths', { board_id, paths: ['src/basket/**'] })

export const harness: Rows<'harness'> = {
  check_paths: {
    args: async ({ world, boardId: board_id }) => {
      await reserved(world, board_id)
      return { board_id, paths: ['src/basket/merge.ts'] }
    },
  },
  report_hook: {
    args: ({ boardId }) => ({ event: 'session_start', session: 'a-session', client: 'claude-code', board_id: boardId }),
  },
  list_workers: { args: ({ boardId }) => ({ board_id: boardId, limit: 3 }) },
  list_overlaps: { args: ({ boardId }) => ({ board_id: boardId, limit: 3 }) },
  reserve_paths: {
    args: ({ boardId }) => ({ board_id: boardId, paths: ['src/sign-in/**'], note: 'Renaming it' }),
  },
  list_reservations: {
    args: async ({ world, boardId: board_id }) => {
      await reserved(world, board_id)
      return { board_id, limit: 3 }
    },
  },
  release_paths: {
    args: async ({ world, boardId }) => ({ reservation_id: (await reserved(world, boardId)).id }),
    permissionTestedBy: 'scopes.test.ts: release_paths asks for CARDS_CLAIM, and for BOARDS_UPDATE on that of another',
  },
}
