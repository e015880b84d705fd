import type { Scene } from '../support/scene.ts'
import type { TestAgent } from '../support/world.ts'
import type { Rows } from './row.ts'

const choice = { comment_type: 'choice', choices: [{ id: 'a', label: 'A' }] }

async function comment(scene: Scene, author: TestAgent, fields: Readonly<Record<string, unknown>> = {}) {
  const card_id = await scene.card()
  const { id } = await scene.world.ok('create_comment', { card_id, content: 'Well?', ...fields }, { as: author })
  return { comment_id: id }
}

export const comments: Rows<'comments'> = {
  create_comment: { args: async scene => ({ card_id: await scene.card(), content: 'Well?', ...choice }) },
  update_comment: { args: async (scene, caller) => ({ ...(await comment(scene, caller)), content: 'Well!' }) },
  respond_to_comment: {
    args: async scene => ({ ...(await comment(scene, scene.world.owner, choice)), selected: ['a'] }),
  },
  delete_comment: { args: comment },
}
