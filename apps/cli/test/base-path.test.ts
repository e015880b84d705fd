/** A service below a path of its host (SPECBOARD_BASE_PATH). */
import { once } from 'node:events'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readSettings } from '../src/settings.ts'
import { startCommand } from './support/command.ts'
import { freePort } from './support/free-port.ts'
import { World } from './support/world.ts'

const basePath = '/tools/board'

let world: World
/** The service without its base path. */
let origin: string

beforeAll(async () => {
  const port = await freePort()
  origin = `http://127.0.0.1:${port}`
  world = await World.start({ port, basePath, publicUrl: origin + basePath })
})

afterAll(() => world.stop())

/** Starts a proxy in front of the service that forwards each request with a changed target. */
async function proxied(change: (target: string) => string) {
  const { port } = new URL(origin)
  const proxy = createServer(({ method, url, headers }: IncomingMessage, outgoing) => {
    const onward = request({ port, method, path: change(url!), headers }, answer => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    onward.end()
  })
  await once(proxy.listen(0, '127.0.0.1'), 'listening')
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, end: () => proxy.close() }
}

const mine = (url: string) =>
  fetch(`${url}/api/v1/me/permissions`, { headers: { authorization: `Bearer ${world.owner.key}` } })

describe('targets', () => {
  test('the address that is printed has it', () => expect(world.running.url).toBe(origin + basePath))

  test.each(['', basePath])('an operation is reached below "%s"', async below => {
    const { status } = await mine(origin + below)
    expect(status).toBe(200)
  })

  test('a proxy may take it off', async () => {
    const { url, end } = await proxied(target => target.slice(basePath.length))
    const { status } = await mine(url + basePath)
    expect(status).toBe(200)
    end()
  })

  test.each(['/health', '/ready'])('probes find %s on a node with and without it', async path => {
    for (const below of ['', basePath]) expect((await fetch(origin + below + path)).status).toBe(200)
  })

  test.each(['/tools/boardroom/health', '/tools', '/other/health'])('%s is not below it', async path => {
    expect((await fetch(origin + path)).status).toBe(404)
  })

  test.each(['', '?a=1', '/'])('the path itself with "%s" behind it is the root', async behind => {
    const answer = await fetch(origin + basePath + behind, { headers: { accept: 'application/json' } })
    // This server has no pages.
    expect(await answer.json()).toMatchObject({ detail: { entity_id: '/' } })
  })
})

describe('addresses that the service gives out', () => {
  const initialize = (url: string) => fetch(`${url}/mcp`, { method: 'POST' })

  test('a client without a key is led to the metadata, which lie at the root of the host', async () => {
    const challenge = (await initialize(origin + basePath)).headers.get('www-authenticate')
    const [, metadata] = /resource_metadata="([^"]+)"/.exec(challenge!)!
    expect(metadata).toBe(`${origin}/.well-known/oauth-protected-resource${basePath}/mcp`)
    const resource = await (await fetch(metadata!)).json()
    expect(resource).toMatchObject({ resource: `${origin}${basePath}/mcp`, authorization_servers: [origin + basePath] })
    const server = await (await fetch(`${origin}/.well-known/oauth-authorization-server${basePath}`)).json()
    expect(server).toMatchObject({ issuer: origin + basePath, token_endpoint: `${origin}${basePath}/token` })
  })

  test('the reference says where the operations are', async () => {
    const document = await (await fetch(`${origin}${basePath}/openapi.json`)).json()
    expect(document).toMatchObject({ servers: [{ url: basePath }] })
  })

  test('a ticket for a file over MCP can be used', async () => {
    const board = await world.ok('create_board', { name: 'Files', description: '' })
    const card = await world.ok('create_card', { board_id: board.id, title: 'With a file' })
    const client = new Client({ name: 'test', version: '1' })
    const headers = { authorization: `Bearer ${world.owner.key}` }
    const transport = new StreamableHTTPClientTransport(new URL(`${origin}${basePath}/mcp?toolsets=all`), {
      requestInit: { headers },
    })
    await client.connect(transport)
    const args = { board_id: board.id, card_id: card.id, filename: 'a.txt', ticket: true }
    const { content } = await client.callTool({ name: 'upload_attachment', arguments: args })
    const { upload_url } = JSON.parse((content as { text: string }[])[0]!.text)
    expect(upload_url.startsWith(`${origin}${basePath}/mcp/uploads?ticket=`)).toBe(true)
    const body = new FormData()
    body.set('file', new File(['text'], 'a.txt'))
    expect((await fetch(upload_url, { method: 'POST', body })).status).toBe(201)
    await client.close()
  })

  test('the command line talks to it', async () => {
    const variables = { SPECBOARD_URL: `${origin}${basePath}/`, SPECBOARD_API_KEY: world.owner.key }
    const { code, output } = await startCommand({ variables }, 'call', 'get_my_permissions').ended
    expect([code, JSON.parse(output)]).toMatchObject([0, { agent_id: world.owner.id }])
  })
})

describe('settings', () => {
  const read = (variables: Record<string, string>) => readSettings({}, variables)

  test('the public address may be written with the base path or without', () => {
    for (const behind of ['', '/board'])
      expect(
        read({ SPECBOARD_PUBLIC_URL: `https://example.com${behind}`, SPECBOARD_BASE_PATH: '/board/' }),
      ).toMatchObject({ publicUrl: 'https://example.com/board', basePath: '/board' })
  })

  test('a public address with another path is refused', () =>
    expect(() => read({ SPECBOARD_PUBLIC_URL: 'https://example.com/board' })).toThrow(/SPECBOARD_BASE_PATH/))

  test.each(['board', '//board', '/a b', '/api', '/b/x', '/a/../b', '/%2e', '/a?b', '/.well-known'])(
    '%s is no base path',
    path => expect(() => read({ SPECBOARD_BASE_PATH: path })).toThrow(/SPECBOARD_BASE_PATH must be/),
  )
})
