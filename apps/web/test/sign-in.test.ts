import { expect, test } from 'vitest'
import { ownerLink } from '../../cli/src/web-link.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, signIn } from './support/browser.ts'

describeInBrowser('signing in', () => {
  const here = browsing()

  test('a key opens the inbox, signing out closes it', async () => {
    const page = await here().visit()
    expect(await seriousFindings(page)).toEqual([])
    await signIn(page, here().world.owner.key)
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('API key').waitFor()
    await page.reload()
    await page.getByLabel('API key').waitFor()
  })

  test('a wrong key is refused in words for people', async () => {
    const page = await here().visit()
    await page.getByLabel('API key').fill('dash_wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('This key does not work.').waitFor()
  })

  test('a link signs in once, and its token leaves the address', async () => {
    const { world, url } = here()
    const link = (await ownerLink(world, url))!
    const page = await here().visit(link.slice(url.length))
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(page.url()).toBe(`${url}/`)
    const other = await here().visit(link.slice(url.length))
    await other.getByLabel('API key').waitFor()
    await other.getByRole('alert').getByText('This link was used or has expired.').waitFor()
  })

  test('a session that begins in another tab opens the page in this one, too', async () => {
    const page = await here().visit()
    await page.getByLabel('API key').waitFor()
    const other = await page.context().newPage()
    await other.goto(`${here().url}/`)
    await signIn(other, here().world.owner.key)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  test('says so when the service is not reached, and offers to try again', async () => {
    const page = await here().visit()
    await page.getByLabel('API key').fill(here().world.owner.key)
    await page.route('**/web/session', route => route.abort())
    await page.route('**/assets/app-*.js', route => route.abort())
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').getByText('The service is not responding').waitFor()
    await page.unroute('**/web/session')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Specboard cannot be reached' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.unroute('**/assets/app-*.js')
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
  })

  test('a session that ended leads back to the form', async () => {
    const { world } = here()
    const agent = await world.agent()
    const page = await here().open('/', {}, agent)
    await world.ok('update_agent', { agent_id: agent.id, is_active: false })
    await page.reload()
    await page.getByLabel('API key').waitFor()
  })
})
