import type { Rows } from './row.ts'

export const board: Rows<'board'> = {
  get_allowed_moves: { args: async scene => ({ entity_type: 'spec', entity_id: await scene.spec('draft') }) },
}
