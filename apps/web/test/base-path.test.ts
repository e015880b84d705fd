/** The pages below a path of their host (SPECBOARD_BASE_PATH). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { builtSite, guide } from '@specboard/web'
import { expect, test } from 'vitest'
import { ownerLink } from '../../cli/src/web-link.ts'
import { freePort } from '../../cli/test/support/free-port.ts'
import { SdkKeeper } from '../../cli/test/support/sdk-keeper.ts'
import { waitingApp } from '../../cli/test/support/waiting-app.ts'
import { World } from '../../cli/test/support/world.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const basePath = '/tools/board'

describeInBrowser('below a base path', () => {
  const here = browsing(async () => {
    const port = await freePort()
    return { port, basePath, publicUrl: `http://127.0.0.1:${port}${basePath}` }
  })

  /** A page whose visitor is the owner, and the paths that it asked for. */
  async function owned() {
    const page = await here().visit('/sign-in')
    const paths = new Set<string>()
    page.on('request', request => paths.add(new URL(request.url()).pathname))
    await page.goto((await ownerLink({ folder: here().world.dataDir }, here().url))!)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    return { page, strayPaths: () => [...paths].filter(path => !path.startsWith(`${basePath}/`)) }
  }

  test('all that pages ask for stays below it, and so does the session', async () => {
    const { url, world } = here()
    const file = new File(['title,status\nPay by card,To Do'], 'cards.csv', { type: 'text/csv' })
    const { board_id, key } = await world.ok('import_board', { file, name: 'Shop' })
    const { page, strayPaths } = await owned()
    await page.goto(`${url}/b/${key}/board`)
    await page.getByRole('link', { name: 'Pay by card' }).click()
    await page.getByRole('dialog').getByRole('heading', { name: 'Pay by card' }).waitFor()
    // Reloaded, the card is a page of its own.
    await page.goto(page.url())
    await page.getByRole('heading', { name: 'Pay by card' }).first().waitFor()
    await page.goto(`${url}/b/${key}`)
    await page.waitForURL(`${url}/b/${key}/board`)
    await page.getByRole('link', { name: 'Pay by card' }).waitFor()
    // Changes by others arrive through the stream.
    await world.ok('create_card', { board_id, title: 'Pay by wire' })
    await page.getByRole('link', { name: 'Pay by wire' }).waitFor()
    await page.goto(`${url}/me/apps`)
    await page.getByText(`${url}/mcp`).first().waitFor()
    expect(strayPaths()).toEqual([])
    expect((await page.context().cookies()).map(({ path }) => path)).toEqual([`${basePath}/`])
    const manifest = await page.evaluate(
      async address => (await fetch(address)).json(),
      (await page.locator('link[rel=manifest]').getAttribute('href'))!,
    )
    expect(manifest).toMatchObject({ start_url: `${basePath}/`, scope: `${basePath}/` })
    expect(here().complaints).toEqual([])
  })

  test('an unknown address leads back to the first page', async () => {
    const { page } = await owned()
    await page.goto(`${here().url}/nowhere`)
    await page.getByRole('link', { name: 'To the inbox' }).click()
    await page.waitForURL(`${here().url}/`)
  })

  test('a bare address leads an app by sign-in and consent to a call of a tool', async () => {
    const app = await waitingApp()
    try {
      const keeper = new SdkKeeper(app.url)
      const address = new URL(`${here().url}/mcp`)
      const transport = new StreamableHTTPClientTransport(address, { authProvider: keeper })
      await expect(new Client({ name: 'sdk', version: '1' }).connect(transport)).rejects.toThrow()
      const { page } = await owned()
      await page.goto(keeper.authorizationUrl!.href)
      await page.getByRole('button', { name: 'Allow' }).click()
      await transport.finishAuth(await app.back)
      const client = new Client({ name: 'sdk', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(address, { authProvider: keeper }))
      const { structuredContent } = await client.callTool({ name: 'get_my_permissions', arguments: {} })
      expect(structuredContent).toMatchObject({ agent_name: 'SDK of Local Owner' })
      await client.close()
    } finally {
      app.close()
    }
  })

  test('a link to sign in leads below it also where the service does not know its address', async () => {
    const world = await World.start({ basePath, publicUrl: undefined }, await builtSite())
    try {
      const { url } = world.running
      const page = await here().visit('/sign-in', { url })
      await page.goto((await ownerLink({ folder: world.dataDir }, url))!)
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.goto(`${url}/me`)
      await page.getByRole('button', { name: 'Create a link' }).click()
      const link = page.getByRole('region', { name: 'Link to sign in', exact: true })
      await expect.poll(() => link.textContent()).toContain(`${url}/#`)
    } finally {
      await world.stop()
    }
  })

  test('the guide and the console find what they need', async () => {
    const built = await builtSite(guide)
    const world = await World.start({ basePath }, undefined, async () => built.built())
    try {
      const { url } = world.running
      const page = await here().visit('/docs/guide/', { url })
      const paths = new Set<string>()
      page.on('request', request => paths.add(new URL(request.url()).pathname))
      await page.reload()
      await page.getByRole('searchbox').fill('base path')
      await page.locator('#found a').first().click()
      await page.waitForURL(`${url}/docs/guide/**`)
      // Drawing all operations takes seconds of both cores, which the tests of the console pay.
      const document = page.waitForResponse(`${url}/openapi.json`)
      await page.goto(`${url}/docs`)
      expect((await document).ok()).toBe(true)
      const redoc = await (await fetch(`${url}/redoc`)).text()
      const [, script] = /src="([^"]+)"/.exec(redoc)!
      expect(await (await fetch(new URL(script!, url))).text()).toContain(`'${basePath}/openapi.json'`)
      expect([...paths].filter(path => !path.startsWith(`${basePath}/`))).toEqual([])
    } finally {
      await world.stop()
    }
  })
})
