import { Person } from '../support/person.ts'
import type { Scene } from '../support/scene.ts'
import type { Rows } from './row.ts'

const url = 'http://127.0.0.1:9/hook'

/** The owner, who is there, with room for further channels: a person has at most 20. */
async function withRoom({ world }: Scene): Promise<Person> {
  const owner = await Person.owner(world)
  const { channels } = await owner.ok('get_my_notifications', {})
  for (const { id } of channels.slice(0, -10)) await owner.ok('delete_notification_channel', { channel_id: id })
  return owner
}

/** A channel of the owner. */
const channel = async (scene: Scene): Promise<{ channel_id: string }> => {
  const owner = await withRoom(scene)
  return { channel_id: (await owner.ok('create_notification_channel', { type: 'slack', url })).id }
}

export const notifications: Rows<'notifications'> = {
  get_my_notifications: { args: () => ({}) },
  update_my_notifications: {
    args: ({ boardId }) => ({ digest_at: '07:30', time_zone: 'Europe/Lisbon', muted_boards: [boardId] }),
  },
  create_notification_channel: {
    args: async scene => {
      await withRoom(scene)
      return { type: 'slack', url }
    },
  },
  update_notification_channel: { args: async scene => ({ ...(await channel(scene)), name: 'Team' }) },
  confirm_notification_channel: { args: async scene => ({ ...(await channel(scene)), code: '12345678' }) },
  delete_notification_channel: { args: channel },
  test_notification_channel: { args: channel },
  list_notification_deliveries: { args: () => ({ limit: 3, status: 'held' }) },
}
