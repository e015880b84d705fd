/** Sessions of MCP whose requests reach different nodes (mcp 3). */
import { canStartServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TwoNodes } from './support/two-nodes.ts'

describe.skipIf(!canStartServer())('a session on two nodes', () => {
  let nodes: TwoNodes

  beforeAll(async () => {
    nodes = await TwoNodes.start(5_000)
  }, 120_000)

  afterAll(() => nodes?.stop(), 120_000)

  const request = (url: string, method: string, headers: Record<string, string>, body?: object) =>
    fetch(`${url}/mcp`, {
      method,
      headers: {
        authorization: `Bearer ${nodes.key}`,
        'content-type': 'application/json',
        accept: method === 'GET' ? 'text/event-stream' : 'application/json, text/event-stream',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  /** The headers of a new session. */
  async function newSession(): Promise<Record<string, string>> {
    const answer = await request(nodes.one.url, 'POST', {}, hello)
    await answer.body?.cancel()
    return { 'mcp-session-id': answer.headers.get('mcp-session-id')!, 'mcp-protocol-version': '2025-06-18' }
  }

  /** Opens a stream, which has begun when this resolves. */
  async function open(url: string, session: Record<string, string>) {
    const answer = await request(url, 'GET', session)
    expect(answer.status).toBe(200)
    const reader = answer.body!.getReader()
    await reader.read()
    let isOpen = true
    const ended = (async () => {
      while (!(await reader.read()).done);
      isOpen = false
    })()
    return { ended, isOpen: () => isOpen, cancel: () => reader.cancel() }
  }

  test('that one of them ends has no stream on the other any more', async () => {
    const session = await newSession()
    const stream = await open(nodes.one.url, session)
    expect((await request(nodes.two.url, 'DELETE', session)).status).toBe(204)
    await stream.ended
    expect((await request(nodes.one.url, 'GET', session)).status).toBe(404)
  })

  test('has one stream, the newest, wherever it was opened', async () => {
    const session = await newSession()
    const first = await open(nodes.one.url, session)
    const second = await open(nodes.two.url, session)
    await first.ended
    const third = await open(nodes.one.url, session)
    await second.ended
    expect(third.isOpen()).toBe(true)
    await third.cancel()
  })

  test('has one stream left of two that were opened at once', async () => {
    const session = await newSession()
    const streams = await Promise.all([open(nodes.one.url, session), open(nodes.two.url, session)])
    await Promise.race(streams.map(({ ended }) => ended))
    // Whatever the nodes told each other of these streams has arrived when they have heard of the next session.
    const next = await newSession()
    for (const [here, there] of [
      [nodes.one, nodes.two],
      [nodes.two, nodes.one],
    ] as const) {
      const before = await open(here.url, next)
      const after = await open(there.url, next)
      await before.ended
      await after.cancel()
    }
    expect(streams.map(({ isOpen }) => isOpen()).toSorted()).toEqual([false, true])
    for (const { isOpen, cancel } of streams) if (isOpen()) await cancel()
  })
})

/** The first message of a client. */
const hello = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
