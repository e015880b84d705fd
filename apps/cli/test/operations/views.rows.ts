import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const late = { name: 'Late', page: 'list', query: 'due=overdue&sort=due' }

/** A view for all of the board. */
const shared = async ({ world, boardId: board_id }: Scene) =>
  (await world.ok('create_view', { board_id, ...late, shared: true })).id

/** A view is somebody's own, or changed by who may change the board. */
const testedBy = 'views.test.ts: shared views are changed by who may change the board'

export const views: Rows<'views'> = {
  list_views: {
    args: async scene => {
      await shared(scene)
      return { board_id: scene.boardId, limit: 3 }
    },
  },
  create_view: { args: ({ boardId }) => ({ board_id: boardId, ...late }) },
  update_view: {
    args: async scene => ({ view_id: await shared(scene), name: 'Too late', query: 'due=overdue' }),
    permissionTestedBy: testedBy,
  },
  delete_view: { args: async scene => ({ view_id: await shared(scene) }), permissionTestedBy: testedBy },
}
