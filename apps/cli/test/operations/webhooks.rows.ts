import { eventually } from '../support/eventually.ts'
import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

/** Where nobody listens: webhooks may reach this host in tests. */
const url = 'http://127.0.0.1:9/hook'

const webhook = async (scene: Scene) => {
  const { id } = await scene.world.ok('create_webhook', { board_id: scene.boardId, url, events: ['sprint_*'] })
  return { webhook_id: id as string }
}

/** A webhook with a ping that was tried once, and the arguments that name them. */
const pinged = async (scene: Scene) => {
  const on = await webhook(scene)
  const { id } = await scene.world.ok('ping_webhook', on)
  await eventually(async () => {
    const [delivery] = await scene.world.ok('list_webhook_deliveries', on)
    if (delivery.attempts === 0) throw new Error('The ping was not tried.')
  })
  return { ...on, delivery_id: id as string }
}

export const webhooks: Rows<'webhooks'> = {
  create_webhook: {
    args: scene => ({ board_id: scene.boardId, url, description: 'Build server', events: ['card_*'] }),
  },
  list_webhooks: {
    args: async scene => {
      await webhook(scene)
      return { board_id: scene.boardId, limit: 2 }
    },
  },
  get_webhook: { args: webhook },
  update_webhook: { args: async scene => ({ ...(await webhook(scene)), events: ['card_moved'], active: false }) },
  delete_webhook: { args: webhook },
  rotate_webhook_secret: { args: webhook },
  ping_webhook: { args: webhook },
  list_webhook_deliveries: {
    args: async scene => {
      const { webhook_id } = await pinged(scene)
      // Nothing is tried again while the answers are compared.
      await scene.world.ok('update_webhook', { webhook_id, active: false })
      return { webhook_id }
    },
  },
  redeliver_webhook: { args: pinged },
  replay_webhook: { args: async scene => ({ ...(await webhook(scene)), after: 0 }) },
}
