import type { Rows } from './row.ts'

export const board: Rows<'board'> = {
  get_allowed_moves: { args: async scene => ({ entity_type: 'spec', entity_id: await scene.spec('draft') }) },
  get_board_overview: {
    args: async scene => {
      await scene.sprint('active')
      return { board_id: scene.boardId }
    },
  },
  list_board_members: { args: scene => ({ board_id: scene.boardId, all: true, may: 'CARDS_READ', limit: 2 }) },
  list_imported_names: {
    args: async scene => {
      await scene.card({ assignee_id: 'external:Zoe' })
      return { board_id: scene.boardId }
    },
  },
  put_imported_name: {
    args: async scene => {
      await scene.card({ assignee_id: 'external:Zoe' })
      return { board_id: scene.boardId, id: 'external:Zoe', merged_into: scene.world.owner.id }
    },
  },
  search_records: {
    args: async scene => {
      await scene.ideation('draft', { title: 'Basket' })
      return { q: 'basket', board_id: scene.boardId, kind: 'ideation', limit: 3 }
    },
  },
  diff_record: {
    args: async scene => {
      const ideation_id = await scene.ideation()
      await scene.world.ok('update_ideation', { ideation_id, description: 'More words' })
      return { entity_type: 'ideation', entity_id: ideation_id }
    },
    permissionTestedBy: 'diff-record.test.ts: asks for the history of the kind of record',
  },
  read_text: {
    args: async scene => ({
      entity_type: 'card',
      entity_id: await scene.card({ description: 'Many words' }),
      length: 4,
    }),
    permissionTestedBy: 'read-text.test.ts: asks for what reading the record asks',
  },
}
