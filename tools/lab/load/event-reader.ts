import { get, type IncomingMessage } from 'node:http'
import type { Client } from '@specboard/client'

/** Opens an event stream on a connection of its own; nothing is read from it until a listener for `data` is added. */
export function openStream(url: string, key: string): Promise<IncomingMessage> {
  const headers = { authorization: `Bearer ${key}`, accept: 'text/event-stream' }
  return new Promise((resolve, reject) => {
    const request = get(url, { headers, agent: false }, response => resolve(response.on('error', () => {})))
    request.on('error', reject)
  })
}

/** Creates an agent that may do everything on a board; returns its key. */
export async function createBoardAgent(client: Client, board_id: string, name: string): Promise<string> {
  const preset = (await client.listPresets()).items.find(({ name }) => name === 'Full Control')!
  const { id: agent_id, api_key } = await client.createAgent({ name, preset_id: preset.id })
  await client.grantBoardAccess({ agent_id, board_id })
  return api_key!
}
