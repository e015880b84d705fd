import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, signIn } from './support/browser.ts'

describeInBrowser('what goes wrong', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  test.each([
    ['an address that nothing has', () => '/nothing/here', 'There is nothing at this address.'],
    ['a page that a board has not', () => `/b/${key}/nothing`, 'There is nothing at this address.'],
    ['a board that is not there', () => '/b/NONE/board', 'There is no board NONE, or you do not have access to it.'],
    ['a card that is not there', () => `/b/${key}/cards/${key}-9999`, 'There is nothing at this address'],
    ['a spec that is not there', () => `/b/${key}/specs/${key}-9999`, 'There is nothing at this address'],
    ['a record that is not there', () => `/b/${key}/r/${key}-9999`, 'There is nothing at this address.'],
    ['a design that is not there', () => `/b/${key}/architecture/none`, 'There is nothing at this address'],
  ])('%s says so, with ways on', async (_, address, says) => {
    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.goto(here().url + address())
    await page.getByRole('heading', { level: 1, name: says, exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Back' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  test('an unknown address is a page for people and a refusal for programs', async () => {
    const request = (accept: string, path = '/nothing', method = 'GET') =>
      fetch(here().url + path, { method, headers: { accept } })
    const page = await request('text/html,application/xhtml+xml,*/*;q=0.8')
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    for (const answer of [
      await request('*/*'),
      await request('application/json'),
      await request('text/html', '/assets/nothing.js'),
      await request('text/html', '/nothing', 'POST'),
    ]) {
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ detail: { error: 'NOT_FOUND' } })
    }
  })

  test.each([
    ['a service that fails', { status: 500, body: '' }, 'Something went wrong in Specboard'],
    ['a network that is gone', undefined, 'Specboard cannot be reached'],
  ])('%s is said in plain words, and Reload leads on', async (_, answer, says) => {
    const card_id = await scene.card({ title: 'Out of reach' })
    const { ref } = await here().world.ok('get_card', { card_id })
    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    const address = '**/api/v1/cards/*'
    await page.route(address, route => (answer === undefined ? route.abort() : route.fulfill(answer)))
    await page.goto(`${here().url}/b/${key}/cards/${ref}`)
    await page.getByRole('heading', { level: 1, name: says }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.unroute(address)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { level: 1, name: 'Out of reach' }).waitFor()
  })

  test('after an upgrade, a script that is gone says so at once in every tab', async () => {
    const page = await here().open(`/b/${key}/board`)
    await page.locator('.column').first().waitFor()
    const other = await page.context().newPage()
    await other.goto(`${here().url}/b/${key}/specs`)
    await other.getByRole('heading', { level: 1 }).waitFor()
    // As if another version were deployed: the scripts have other names, and the former ones are gone.
    await page.context().route('**/assets/*', route => route.fulfill({ status: 404, body: '' }))
    await page
      .context()
      .route(`${here().url}/`, route =>
        route.fulfill({ contentType: 'text/html', body: '<script type="module" src="/assets/next.js"></script>' }),
      )
    await page.getByRole('navigation').getByRole('link', { name: 'Analytics' }).first().click()
    await page.getByRole('heading', { name: 'Specboard was updated' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await other.getByText('this tab still runs the previous version').waitFor()
    expect(await seriousFindings(other)).toEqual([])
    await page.context().unrouteAll()
    await other.getByRole('button', { name: 'Reload' }).click()
    await other.getByRole('heading', { level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Reload' }).first().click()
    await page.getByRole('region', { name: 'From idea to done' }).waitFor()
  })

  test('signing out in one tab signs all out at once, and signing in again brings all back', async () => {
    const agent = await here().world.agent()
    await here().world.ok('grant_board_access', { board_id: scene.boardId, agent_id: agent.id })
    const page = await here().visit()
    await signIn(page, agent.key)
    const other = await page.context().newPage()
    await other.goto(`${here().url}/b/${key}/board`)
    await other.locator('.column').first().waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await other.getByLabel('API key').waitFor()
    await signIn(page, agent.key)
    await other.locator('.column').first().waitFor()
  })
})
