import { type Client, createClient } from '@specboard/client'

/** What an attack may use: a service, its owner, and keys with few permissions. */
export interface Target {
  readonly url: string
  readonly owner: Client
  readonly ownerKey: string
  /** The key of a share of level `viewer`. */
  readonly viewerKey: string
  /** The key of a share of level `editor`. */
  readonly editorKey: string
  readonly boardId: string
  readonly specId: string
  readonly cardId: string
}

/** Creates a board with a spec and a card, and two agents with shares of it. */
export async function targetOn(url: string, ownerKey: string): Promise<Target> {
  const owner = createClient({ url, key: ownerKey })
  const board = await owner.createBoard({ name: 'Attacked', description: '' })
  for (let index = 0; index < 200; index++)
    await owner.createIdeation({
      board_id: board.id,
      title: `Idea ${index}`,
      description: 'To have something to search.',
    })
  const spec = await owner.createSpec({ board_id: board.id, title: 'Attacked', status: 'approved' })
  const card = await owner.createCard({ board_id: board.id, spec_id: spec.id, title: 'Attacked' })
  const sharing = async (permission: 'viewer' | 'editor') => {
    const agent = await owner.createAgent({ name: permission })
    await owner.createBoardShare({ board_id: board.id, user_id: agent.id, permission })
    return agent.api_key!
  }
  return {
    url,
    owner,
    ownerKey,
    viewerKey: await sharing('viewer'),
    editorKey: await sharing('editor'),
    boardId: board.id,
    specId: spec.id,
    cardId: card.id,
  }
}

/** An answer with the start of its body. */
export interface Told {
  readonly status: number
  /** The first kilobytes of the body. */
  readonly text: string
  /** Characters of the whole body. */
  readonly length: number
}

/** Sends a request with an unchanged body. */
export async function send(
  { url }: Target,
  method: string,
  path: string,
  { key, body, headers = {} }: { readonly key?: string; readonly body?: string | Blob; readonly headers?: object } = {},
): Promise<Told> {
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(typeof body === 'string' && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body ?? null,
  })
  const text = await response.text()
  return { status: response.status, text: text.slice(0, 4_096), length: text.length }
}

/** Calls a method of MCP. */
export const sendMcp = (target: Target, key: string, method: string, params: unknown): Promise<Told> =>
  send(target, 'POST', '/mcp', {
    key,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { accept: 'application/json, text/event-stream', 'mcp-protocol-version': '2025-11-25' },
  })
