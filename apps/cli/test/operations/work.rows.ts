import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const readyCard = async (scene: Scene) => scene.card({ spec_id: await scene.spec('in_progress') })

const claimedCard = async (scene: Scene) => {
  const card_id = await readyCard(scene)
  await scene.world.ok('claim_card', { card_id, note: 'On it' })
  return { card_id }
}

export const work: Rows<'work'> = {
  list_ready_cards: {
    args: async scene => {
      await readyCard(scene)
      return { board_id: scene.boardId, limit: 3 }
    },
  },
  claim_next_card: {
    args: async scene => {
      await readyCard(scene)
      return { board_id: scene.boardId, lease_seconds: 600, start: true }
    },
  },
  claim_card: { args: async scene => ({ card_id: await readyCard(scene), note: 'On it' }) },
  release_claim: {
    args: claimedCard,
    permissionTestedBy: 'claims.test.ts: release_claim asks for CARDS_CLAIM, and for BOARDS_UPDATE on that of another',
  },
  save_checkpoint: {
    args: async scene => ({ ...(await claimedCard(scene)), text: 'The parser is done, its tests are not.' }),
  },
  allow_attempts: { args: async scene => ({ card_id: await readyCard(scene), more: 2, note: 'Try it again.' }) },
  list_claims: {
    args: async scene => {
      await claimedCard(scene)
      return { board_id: scene.boardId, limit: 3 }
    },
  },
  list_board_events: { args: scene => ({ board_id: scene.boardId, limit: 2 }) },
  stream_board_events: { args: scene => ({ board_id: scene.boardId, after: 0 }) },
}
