import type { Rows } from './row.ts'

export const lineage: Rows<'lineage'> = {
  get_lineage_graph: {
    args: async scene => ({
      board_id: scene.boardId,
      entity_type: 'spec',
      entity_id: await scene.spec(),
      include_artifacts: true,
    }),
  },
}
