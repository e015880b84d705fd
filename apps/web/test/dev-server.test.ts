import { fileURLToPath } from 'node:url'
import { createServer, type ViteDevServer } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, signIn } from './support/browser.ts'

describeInBrowser('pnpm web', () => {
  const here = browsing()
  let server: ViteDevServer
  let url: string

  beforeAll(async () => {
    process.env.SPECBOARD_URL = here().url
    server = await createServer({
      root: fileURLToPath(new URL('..', import.meta.url)),
      logLevel: 'error',
      server: { host: '127.0.0.1', port: 0, watch: null },
    })
    await server.listen()
    url = server.resolvedUrls!.local[0]!.replace(/\/$/, '')
  })
  afterAll(async () => {
    await server.close()
    delete process.env.SPECBOARD_URL
  })

  test('serves the sources in front of a running service, where one signs in as usual', async () => {
    const page = await here().visit('/', { url })
    await signIn(page, here().world.owner.key)
    const { key } = await here().world.ok('create_board', { name: 'Developed', description: '' })
    await page.goto(`${url}/b/${key}/board`)
    await page.getByText('This board has no cards yet.').waitFor()
    expect(await page.locator('script[src="/src/main.ts"]').count()).toBe(1)
  })

  test('shows every component in every state, light beside dark; a build does not', async () => {
    const page = await here().visit('/design', { url })
    await signIn(page, here().world.owner.key, false)
    for (const theme of ['light', 'dark']) {
      const side = page.getByRole('region', { name: theme, exact: true })
      await side.getByRole('heading', { name: 'Markdown' }).waitFor()
      await side.getByText('Mix').waitFor()
    }
    expect(await seriousFindings(page)).toEqual([])
    const built = await here().open('/design')
    await built.getByText('There is nothing at this address.').waitFor()
  })
})
