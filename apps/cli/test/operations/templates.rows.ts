import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const chore = { entity_type: 'card', name: 'Chore', content: { title: 'Chore: ', priority: 'low', labels: ['chore'] } }

const newTemplate = async ({ world, boardId: board_id }: Scene) =>
  (await world.ok('create_template', { board_id, ...chore })).id

export const templates: Rows<'templates'> = {
  list_templates: {
    args: async scene => {
      await newTemplate(scene)
      return { board_id: scene.boardId, entity_type: 'card', limit: 3 }
    },
  },
  create_template: { args: ({ boardId }) => ({ board_id: boardId, ...chore }) },
  update_template: {
    args: async scene => ({ template_id: await newTemplate(scene), name: 'Small', content: { labels: [] } }),
  },
  delete_template: { args: async scene => ({ template_id: await newTemplate(scene) }) },
}
