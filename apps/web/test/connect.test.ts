/** An app over MCP that a person connects in the browser (people 3.5). */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, test } from 'vitest'
import { ownerLink } from '../../cli/src/web-link.ts'
import { freePort } from '../../cli/test/support/free-port.ts'
import { SdkKeeper } from '../../cli/test/support/sdk-keeper.ts'
import { waitingApp } from '../../cli/test/support/waiting-app.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('connecting an app', () => {
  const here = browsing(async () => {
    const port = await freePort()
    return { port, publicUrl: `http://127.0.0.1:${port}` }
  })

  test('leads from a bare address by sign-in and consent to a call of a tool', async () => {
    const { world, url } = here()
    await world.ok('create_board', { name: 'Reached', description: '' })
    const app = await waitingApp()
    try {
      const keeper = new SdkKeeper(app.url)
      const address = new URL(`${url}/mcp`)
      const transport = new StreamableHTTPClientTransport(address, { authProvider: keeper })
      await expect(new Client({ name: 'sdk', version: '1' }).connect(transport)).rejects.toThrow()
      // Nobody is signed in yet: the page asks who is there first, and the link signs in.
      const page = await here().visit((await ownerLink({ folder: world.dataDir }, url))!.slice(url.length))
      await page.getByRole('heading', { name: 'Inbox' }).waitFor()
      await page.goto(keeper.authorizationUrl!.href)
      await page.getByText('says it is “SDK”').waitFor()
      const consequences = page.getByRole('region', { name: 'What it may do' })
      await consequences.getByText('As SDK of Local Owner it may do this: Takes cards').waitFor()
      await page.getByLabel('It may only read').check()
      await consequences.getByText('As SDK of Local Owner it may only read.').waitFor()
      await page.getByLabel('It may only read').uncheck()
      await consequences.getByText('it may do this').waitFor()
      const asksFirst = page.getByLabel('It asks you before it deletes something')
      expect(await asksFirst.isChecked()).toBe(true)
      await asksFirst.uncheck()
      expect(await seriousFindings(page)).toEqual([])
      await page.getByRole('button', { name: 'Allow' }).click()
      await transport.finishAuth(await app.back)
      const client = new Client({ name: 'sdk', version: '1' })
      await client.connect(new StreamableHTTPClientTransport(address, { authProvider: keeper }))
      const { structuredContent } = await client.callTool({ name: 'get_my_permissions', arguments: {} })
      expect(structuredContent).toMatchObject({ agent_name: 'SDK of Local Owner', preset_name: 'Executor' })
      await client.close()
      // The profile names the app with the boards that it may reach.
      await page.goto(`${url}/me/apps`)
      const row = page.getByRole('row', { name: /SDK of Local Owner/ })
      await row.getByRole('link', { name: 'Reached', exact: true }).waitFor()
      expect(await seriousFindings(page)).toEqual([])
      // The previous choice is offered the next time.
      const again = new SdkKeeper(app.url)
      again.saveClientInformation(keeper.clientInformation()!)
      const later = new StreamableHTTPClientTransport(address, { authProvider: again })
      await expect(new Client({ name: 'sdk', version: '1' }).connect(later)).rejects.toThrow()
      await page.goto(again.authorizationUrl!.href)
      await page.getByText('says it is “SDK”').waitFor()
      expect(await asksFirst.isChecked()).toBe(false)
    } finally {
      app.close()
    }
  })

  test('says that a key does not do, before the attempt', async () => {
    const keeper = new SdkKeeper()
    const transport = new StreamableHTTPClientTransport(new URL(`${here().url}/mcp`), { authProvider: keeper })
    await expect(new Client({ name: 'sdk', version: '1' }).connect(transport)).rejects.toThrow()
    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.goto(keeper.authorizationUrl!.href)
    await page.getByText('You are signed in with a key').waitFor()
    await page.getByRole('button', { name: 'Allow' }).click()
    await page.getByRole('alert').waitFor()
  })
})
