/** What people set for themselves and for each other (people 6). */
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ownerLink } from '../../cli/src/web-link.ts'
import { MailSink, readable } from '../../cli/test/support/mail-sink.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

describeInBrowser('people', () => {
  let mail: MailSink
  const here = browsing(async () => {
    mail = await MailSink.start()
    return { smtpUrl: mail.url, mailFrom: 'board@example.com', mailSignIn: 'on' as const }
  })

  /** A page in which the owner is present. */
  async function asOwner(path: string, looks = {}) {
    const { world, url } = here()
    const link = (await ownerLink({ folder: world.dataDir, databaseUrl: world.databaseUrl }, url))!
    const page = await here().visit(link.slice(url.length), looks)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.goto(`${url}${path}`)
    return page
  }

  test('a session by a key says that it approves nothing', async () => {
    const page = await here().open('/')
    const banner = page.getByRole('region', { name: 'How you are signed in' })
    await banner.getByText('To approve, sign in as yourself').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await banner.getByRole('button', { name: 'Hide' }).click()
    await banner.waitFor({ state: 'detached' })
    const present = await asOwner('/me')
    await present.getByRole('heading', { name: 'Your profile' }).waitFor()
    expect(await present.getByRole('region', { name: 'How you are signed in' }).count()).toBe(0)
  })

  test.each([
    ['en-US', 'How you are signed in'],
    ['de-DE', 'Art der Anmeldung'],
  ])('says so in one line on a desk, %s', async (locale, name) => {
    const page = await here().open('/', { locale, width: 1280 })
    const banner = page.getByRole('region', { name })
    await banner.locator('code').waitFor()
    const says = banner.locator('.grow')
    const lines = await says.evaluate(
      element =>
        element.clientHeight /
        Number.parseFloat(element.ownerDocument.defaultView.getComputedStyle(element).lineHeight),
    )
    expect(Math.round(lines)).toBe(1)
    expect((await banner.boundingBox())!.height).toBeLessThan(50)
  })

  test('a person changes its name and handle, makes a key and a link', async () => {
    const { world } = here()
    const page = await asOwner('/me')
    await page.getByLabel('Handle').fill('ada')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').waitFor()
    expect((await world.ok('get_agent', { agent_id: world.owner.id })).handle).toBe('ada')
    await page.getByRole('button', { name: 'Create a link' }).click()
    await page.getByText('https://board.example.com/#').waitFor()
    await page.getByRole('img', { name: 'The link as a code for a camera' }).waitFor()
    expect(await page.getByText('Restored').count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
  })

  test('sessions are listed and ended', async () => {
    const page = await asOwner('/me/sessions')
    await page.getByText('This one').waitFor()
    await asOwner('/')
    await page.reload()
    const others = page.getByRole('button', { name: /^End the session of/ })
    await others.first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'End all others' }).click()
    await others.first().waitFor({ state: 'detached' })
  })

  test('channels are added, confirmed, set and deleted; hours are kept', async () => {
    const page = await asOwner('/me/notifications')
    await page.getByRole('button', { name: 'Add E-mail' }).click()
    await page.getByLabel('Address').fill('ada@example.com')
    const before = mail.mails.length
    await page.getByRole('button', { name: 'Add E-mail' }).last().click()
    const confirmation = (await mail.taken(before + 1)).at(-1)!
    const [code] = /\b[0-9]{8}\b/.exec(readable(confirmation.raw.slice(confirmation.raw.indexOf('\r\n\r\n'))))!
    await page.getByLabel('Code from the mail').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
    await page.getByText('On', { exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Actions for E-mail' }).click()
    await page.getByRole('menuitem', { name: 'Choose what it sends' }).click()
    await page.getByLabel('A card is stuck').check()
    await page.getByRole('dialog').getByLabel('Name').fill('My mail')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('My mail').waitFor()
    await page.getByLabel('Send nothing during quiet hours').check()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').waitFor()
    await page.getByRole('button', { name: 'Actions for My mail' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('None yet: what waits').waitFor()
  })

  test('apps: the address to paste where there is none', async () => {
    const page = await asOwner('/me/apps', phone)
    await page.getByText('/mcp').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('somebody is invited, joins, and is signed out everywhere', async () => {
    await here().world.ok('create_board', { name: 'Where people work', description: '' })
    const page = await asOwner('/admin/people')
    await page.getByRole('button', { name: 'Invite somebody' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Grace')
    await dialog.getByLabel('Preset').selectOption({ label: 'Reporter' })
    await dialog.getByLabel('Where people work').check()
    await dialog.getByRole('button', { name: 'Create invitation' }).click()
    const address = await page.getByText('https://board.example.com/invite#').textContent()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByRole('rowheader', { name: 'Grace' }).waitFor()
    const owner = page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Local Owner' }) })
    await owner.getByRole('link', { name: 'Where people work' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    const joining = await here().visit(new URL(address!).pathname + new URL(address!).hash)
    await joining.getByText('Local Owner invites you').waitFor()
    await joining.getByText('Where people work (Editor)').waitFor()
    expect(await seriousFindings(joining)).toEqual([])
    await joining.getByRole('button', { name: 'Join' }).click()
    await joining.getByRole('heading', { name: 'Inbox' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Actions for Grace' }).click()
    await page.getByRole('menuitem', { name: 'End all sessions' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'End all sessions' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await joining.reload()
    await joining.getByRole('heading', { name: 'Sign in' }).waitFor()
  })

  test('a link comes by mail to who asks for it', async () => {
    const page = await here().visit('/')
    await page.getByLabel('Your e-mail address').fill('nobody@example.com')
    await page.getByRole('button', { name: 'Mail me a link' }).click()
    await page.getByText('a link is on its way').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a board whose rule wants a person says so where none may approve', async () => {
    const { world } = here()
    const agent = await world.agent()
    const settings = { approval_done: 'person' }
    const board = await world.ok('create_board', { name: 'Alone', description: '', settings }, { as: agent })
    const page = await here().open(`/b/${board.key}/settings`, {}, agent)
    await page.getByRole('region', { name: 'Advice' }).getByText('no active person').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('the board can be installed, and its worker shows what cannot be read', async () => {
    const { url } = here()
    const manifest = await fetch(`${url}/manifest.webmanifest`)
    expect(manifest.headers.get('content-type')).toBe('application/manifest+json')
    const { icons, start_url, display } = (await manifest.json()) as {
      icons: { src: string; sizes: string }[]
      start_url: string
      display: string
    }
    expect([start_url, display, icons.map(({ sizes }) => sizes)]).toEqual(['/', 'standalone', ['192x192', '512x512']])
    for (const { src } of icons) expect((await fetch(url + src)).headers.get('content-type')).toBe('image/png')
    const worker = await fetch(`${url}/sw.js`)
    expect([worker.headers.get('content-type'), worker.headers.get('cache-control')]).toEqual([
      'text/javascript; charset=utf-8',
      'no-cache',
    ])
    const script = await worker.text()
    expect(script).not.toContain("addEventListener('fetch'")
    expect(gzipSync(script).length).toBeLessThanOrEqual(4_096)
    const policy = (await fetch(url)).headers.get('content-security-policy')
    expect(policy).toContain("worker-src 'self'; manifest-src 'self'")
  })
})
