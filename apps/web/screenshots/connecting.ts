/**
 * The steps from a bare address to a call, as people see them (people 3): signing in, consenting, and the connected
 * app.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { builtSite } from '@specboard/web'
import type { Browser } from 'playwright-core'
import { freePort } from '../../cli/test/support/free-port.ts'
import { OpenIdProvider } from '../../cli/test/support/openid-provider.ts'
import { SdkKeeper } from '../../cli/test/support/sdk-keeper.ts'
import { waitingApp } from '../../cli/test/support/waiting-app.ts'
import { World } from '../../cli/test/support/world.ts'

const app = 'MCP client'
const person = { sub: '1', name: 'Ada', email: 'ada@example.com', email_verified: true, groups: ['developers'] }
const viewport = { width: 900, height: 900 }

/** Connects a client of MCP's own library in a browser, and takes a picture of each page on the way. */
export async function connected(from: Browser, fileOf: (picture: string) => string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'specboard-connecting-'))
  const provider = await OpenIdProvider.start()
  provider.claims = person
  const group = { group: 'developers', preset: 'Full Control', boards: ['SHOP'], share: 'editor' }
  const member = provider.member({
    name: 'Company account',
    allowed_domains: ['example.com'],
    group_presets: [group],
  })
  const signInFile = join(folder, 'sign-in.json')
  await writeFile(signInFile, JSON.stringify({ providers: [member] }))
  const port = await freePort()
  const publicUrl = `http://127.0.0.1:${port}`
  const world = await World.start({ port, publicUrl, signInFile }, await builtSite())
  await world.ok('create_board', { name: 'Shop', key: 'SHOP', description: 'What the shop sells' })
  const answered = await waitingApp()
  try {
    const keeper = new SdkKeeper(answered.url, app)
    const address = new URL(`${publicUrl}/mcp`)
    const connection = () => new StreamableHTTPClientTransport(address, { authProvider: keeper })
    const transport = connection()
    // The library's client stops when the person has to decide, and is called again with the answer.
    await new Client({ name: app, version: '1' }).connect(transport).catch(() => undefined)
    const page = await (await from.newContext({ viewport, reducedMotion: 'reduce' })).newPage()
    const takePicture = async (picture: string): Promise<void> => {
      const file = fileOf(`${picture}-light.png`)
      await page.screenshot({ path: file })
      console.log(file)
    }
    await page.goto(keeper.authorizationUrl!.href)
    const button = page.getByRole('button', { name: 'Company account' })
    await button.waitFor()
    await takePicture('connect-sign-in')
    await button.click()
    await page.waitForURL(`${provider.issuer}/**`)
    await page.goto(`${publicUrl}/web/session/oidc/corp/callback${provider.answer(page.url())}`)
    const allow = page.getByRole('button', { name: 'Allow' })
    await allow.waitFor()
    await takePicture('connect-allow')
    await allow.click()
    await transport.finishAuth(await answered.back)
    const client = new Client({ name: app, version: '1' })
    await client.connect(connection())
    const { structuredContent } = await client.callTool({ name: 'get_my_permissions', arguments: {} })
    console.log(JSON.stringify(structuredContent).slice(0, 120))
    await client.close()
    await page.goto(`${publicUrl}/me/apps`)
    await page.getByText(`${app} of ${person.name}`).first().waitFor()
    await takePicture('connect-connected')
  } finally {
    answered.close()
    await world.stop()
    await provider.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
