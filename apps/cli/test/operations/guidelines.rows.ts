import type { Scene } from '../support/scene.ts'
import type { TestAgent } from '../support/world.ts'
import type { Rows } from './row.ts'

const text = { title: 'Commits', content: '# One idea each' }

/** A global guideline of an agent. */
const newGuideline = async ({ world }: Scene, as: TestAgent): Promise<string> =>
  (await world.ok('create_guideline', { ...text, tags: ['git'] }, { as })).id

/** A global guideline that is linked to the scene's board. */
const linkedGuideline = async (scene: Scene): Promise<string> => {
  const guideline_id = await newGuideline(scene, scene.world.owner)
  await scene.world.ok('add_board_guideline', { board_id: scene.boardId, guideline_id, priority: 2 })
  return guideline_id
}

export const guidelines: Rows<'guidelines'> = {
  list_guidelines: {
    args: async (scene, caller) => {
      await newGuideline(scene, caller)
      return { tag: 'git', limit: 5 }
    },
  },
  create_guideline: { args: scene => ({ ...text, scope: 'inline', board_id: scene.boardId }) },
  get_guideline: { args: async (scene, caller) => ({ guideline_id: await newGuideline(scene, caller) }) },
  update_guideline: {
    args: async (scene, caller) => ({
      guideline_id: await newGuideline(scene, caller),
      tags: ['a', 'b'],
      lists: 'replace',
    }),
  },
  delete_guideline: { args: async (scene, caller) => ({ guideline_id: await newGuideline(scene, caller) }) },
  list_board_guidelines: {
    args: async scene => {
      await linkedGuideline(scene)
      return { board_id: scene.boardId }
    },
  },
  add_board_guideline: { args: scene => ({ board_id: scene.boardId, ...text, priority: 5 }) },
  remove_board_guideline: {
    args: async scene => ({ board_id: scene.boardId, guideline_id: await linkedGuideline(scene) }),
  },
  update_board_guideline: {
    args: async scene => ({ board_id: scene.boardId, guideline_id: await linkedGuideline(scene), priority: 1 }),
  },
}
