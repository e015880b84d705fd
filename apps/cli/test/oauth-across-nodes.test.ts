/** Connections of MCP clients on two nodes of one database (people 3.7). */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canStartServer, privateServer } from '@specboard/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { OauthClient } from './support/oauth-client.ts'
import { Person } from './support/person.ts'
import { World } from './support/world.ts'

describe.skipIf(!canStartServer())('two nodes', () => {
  let one: World
  let two: World

  beforeAll(async () => {
    const databaseUrl = await (await privateServer()).database()
    const port = await freePort()
    const publicUrl = `http://127.0.0.1:${port}`
    one = await World.start({ databaseUrl, port, publicUrl })
    // Nodes have the same key, and one address.
    const settings = { databaseUrl, publicUrl, secretKeyFile: join(one.folder, 'secret.key') }
    two = await World.on(await mkdtemp(join(tmpdir(), 'specboard-two-')), settings, one.owner.key)
  }, 90_000)

  afterAll(async () => {
    await two?.stop()
    await one?.stop()
  }, 90_000)

  const hello = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: {},
  }

  const statusAt = async (node: World, token: string): Promise<number> => {
    const answer = await fetch(`${node.running.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify(hello),
    })
    await answer.body?.cancel()
    return answer.status
  }

  test('a token of one is used, refreshed and revoked at the other', async () => {
    const owner = await Person.owner(one)
    const client = new OauthClient(one.running.url)
    await client.register()
    const tokens = await client.connected(owner, {
      allow: true,
      new_agent: { name: 'App of Local Owner', preset_id: 'Executor' },
    })
    const [here, there] = [await statusAt(one, tokens.access_token), await statusAt(two, tokens.access_token)]
    expect([here, there]).toEqual([200, 200])
    const elsewhere = new OauthClient(two.running.url, client.id)
    const next = await elsewhere.refresh(tokens.refresh_token)
    expect(next.status).toBe(200)
    expect([await statusAt(one, next.body.access_token), await statusAt(two, next.body.access_token)]).toEqual([
      200, 200,
    ])
    // Within the grace period the old and the new token both work, on either node, because an answer may have been
    // lost.
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200)
    const last = await client.refresh(next.body.refresh_token)
    expect((await elsewhere.post('/revoke', { token: last.body.refresh_token })).status).toBe(200)
    for (const node of [one, two])
      for (const token of [tokens.access_token, next.body.access_token, last.body.access_token])
        expect(await statusAt(node, token)).toBe(401)
    expect((await client.refresh(last.body.refresh_token)).body.error).toBe('invalid_grant')
  }, 60_000)
})
