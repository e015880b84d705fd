/** The clients of MCP's own libraries, connected by an address alone (people 3), and tokens on two nodes. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from './support/free-port.ts'
import { OauthClient } from './support/oauth-client.ts'
import { Person } from './support/person.ts'
import { SdkKeeper } from './support/sdk-keeper.ts'
import { World } from './support/world.ts'

let world: World
let owner: Person
let url: string

beforeAll(async () => {
  const port = await freePort()
  url = `http://127.0.0.1:${port}`
  world = await World.start({ port, publicUrl: url })
  owner = await Person.owner(world)
})

afterAll(() => world.stop())

/** The parameters with which a client comes back, once its person has agreed in a browser. */
async function allowed({ authorizationUrl: asked }: SdkKeeper): Promise<URLSearchParams> {
  const browser = new OauthClient(url)
  const new_agent = { name: 'SDK of Ada', preset_id: 'Executor' }
  const back = await browser.allowed(await browser.open(asked!), owner, { allow: true, new_agent })
  return back.searchParams
}

test('the client of today is led from a bare address to a call', async () => {
  const keeper = new SdkKeeper()
  const address = new URL(`${url}/mcp?toolsets=core`)
  const transport = new StreamableHTTPClientTransport(address, { authProvider: keeper })
  await expect(new Client({ name: 'sdk', version: '1' }).connect(transport)).rejects.toThrow()
  expect(keeper.authorizationUrl?.searchParams.get('resource')).toBe(address.href)
  await transport.finishAuth(await allowed(keeper))
  const client = new Client({ name: 'sdk', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(address, { authProvider: keeper }))
  const answer = await client.callTool({ name: 'list_boards', arguments: {} })
  expect(answer.isError).toBeFalsy()
  await client.close()
})

test('and so is the one before', async () => {
  const keeper = new SdkKeeper()
  const address = new URL(`${url}/mcp`)
  const connected = async () => {
    const transport = new EarlierTransport(address, { authProvider: keeper })
    const client = new EarlierClient({ name: 'sdk', version: '1' })
    // The types of the library's own transport do not fit its client under exactOptionalPropertyTypes.
    return { client, transport, connecting: client.connect(transport as never) }
  }
  const first = await connected()
  await expect(first.connecting).rejects.toThrow()
  await first.transport.finishAuth((await allowed(keeper)).get('code')!)
  const { client, connecting } = await connected()
  await connecting
  const answer = await client.callTool({ name: 'get_my_permissions', arguments: {} })
  expect(answer.structuredContent).toMatchObject({ agent_name: 'SDK of Ada' })
  await client.close()
})

test('a client with a key of its own never sees a browser', async () => {
  const keeper = new SdkKeeper()
  const requestInit = { headers: { authorization: 'Bearer dash_0' } }
  const transport = new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit })
  await expect(new Client({ name: 'sdk', version: '1' }).connect(transport)).rejects.toThrow()
  expect(keeper.authorizationUrl).toBeUndefined()
})
