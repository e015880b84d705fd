import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { filledAddresses, walk, walkMs } from './support/all-pages.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'
import { tooWide } from './support/targets.ts'

const german = { locale: 'de-DE' } as const

/** Words of the pages that also occur in records of these tests. */
const ofRecords = new Set(['Card', 'Everything', 'Goal'])

/** All string literals in the messages of a language. */
function textsIn(language: string): ReadonlySet<string> {
  const folder = join(import.meta.dirname, '../src/messages', language)
  const sources = readdirSync(folder).map(name => readFileSync(join(folder, name), 'utf8'))
  return new Set(sources.flatMap(source => [...source.matchAll(/'([^'\n]{3,})'/g)].map(([, text]) => text!)))
}

/** The texts of a page, including those for screen readers, except the texts of its records. */
const saidOn = (page: Page) =>
  page.evaluate<string[]>(`(() => {
    const said = []
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) if (texts.currentNode.parentElement.closest('bdi, [dir=auto], code, pre') === null) said.push(texts.currentNode.data.trim())
    for (const name of ['title', 'aria-label', 'placeholder', 'alt'])
      for (const element of document.querySelectorAll('[' + name + ']')) said.push(element.getAttribute(name))
    return said
  })()`)

/** The pages that people see most. */
const isMain = (path: string): boolean =>
  /^\/$|\/(?:now|board|list|timeline|analytics|activity|settings|presets)$|\/(?:cards|specs)\/[^/]+$/.test(path)

const languageOf = (page: Page) => page.evaluate<string>('document.documentElement.lang')

describeInBrowser('in a German browser', () => {
  const here = browsing()
  let addresses: readonly string[]

  beforeAll(async () => {
    addresses = await filledAddresses(here())
  })

  test('the form to sign in is German', async () => {
    const page = await here().visit('/', german)
    await page.getByLabel('API-Schlüssel').waitFor()
    expect(await languageOf(page)).toBe('de')
    expect(await page.title()).toBe('Anmelden · Specboard')
    expect(await seriousFindings(page)).toEqual([])
  })

  test(
    'every page is German and fits the width of a desk and of a phone; axe finds nothing serious on the main ones',
    async () => {
      const own = textsIn('de')
      const english = new Set([...textsIn('en')].filter(text => !own.has(text) && !ofRecords.has(text)))
      const page = await here().open('/', { ...german, width: 1440 })
      await walk(page, addresses, async path => {
        expect.soft([path, await languageOf(page)]).toEqual([path, 'de'])
        expect.soft([path, (await saidOn(page)).filter(text => english.has(text))]).toEqual([path, []])
        if (isMain(path)) expect.soft([path, await seriousFindings(page)]).toEqual([path, []])
        for (const width of [1440, 390]) {
          await page.setViewportSize({ width, height: 900 })
          // A chart is drawn again once its new width is known.
          await expect.poll(async () => [path, width, await page.evaluate(tooWide)]).toEqual([path, width, 0])
        }
        await page.setViewportSize({ width: 1440, height: 900 })
      })
    },
    walkMs,
  )

  test('the inbox fits a small phone, whose menu groups it', async () => {
    const page = await here().open('/', { ...phone, ...german, width: 360 })
    await page.locator('.inbox-row').first().waitFor()
    expect(await page.evaluate(tooWide)).toBe(0)
    await page.getByRole('button', { name: 'Mehr zum Eingang' }).click()
    await page.getByRole('menuitem', { name: 'Nach Agent' }).click()
    await page.getByRole('button', { name: 'Mehr zum Eingang' }).click()
    await page.getByRole('menuitem', { name: 'Nach Art' }).waitFor()
    expect(await page.getByRole('menuitem', { name: 'Nach Agent' }).count()).toBe(0)
  })

  test('the form of a new card fits its column', async () => {
    const { world } = here()
    const board = await world.ok('create_board', { name: 'Sieben Spalten', description: '' })
    const page = await here().open(`/b/${board.key}/board`, { ...german, width: 1440 })
    await page.getByRole('button', { name: 'Neue Karte' }).click()
    await page.getByRole('button', { name: 'Abbrechen' }).waitFor()
    const wider = '(form => form.scrollWidth - form.clientWidth)(document.querySelector("form.quick-add"))'
    expect(await page.evaluate(wider)).toBe(0)
  })

  test('dates and numbers are written as in German, files as everywhere', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    await scene.card({ title: 'Jahresende', due_date: '2031-12-24' })
    const page = await here().open(`/b/${await scene.boardKey()}/list`, german)
    await page.getByText('24. Dez.').first().waitFor()
    await page.getByRole('button', { name: 'Mehr zu dieser Liste' }).click()
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Als CSV exportieren' }).click(),
    ])
    const [head, ...rows] = readFileSync(await file.path(), 'utf8').split('\r\n')
    expect(head).toBe('\uFEFFPriority,Ref,Title,Spec,Proof,Change,Due,Age,Assignee')
    expect(rows).toContainEqual(expect.stringMatching(/^No priority,SCE2-\d+,Jahresende,.*,2031-12-24,/))
  })

  test('a chosen language stays, and the browser is asked again when it is to say', async () => {
    const page = await here().open('/', german)
    const choose = async (words: string) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox').fill(words)
      await page.getByRole('option', { name: words }).click()
    }
    await page.getByRole('heading', { name: 'Eingang' }).waitFor()
    await choose('English')
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await languageOf(page)).toBe('en')
    await page.reload()
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    await choose('as the browser')
    await page.getByRole('heading', { name: 'Eingang' }).waitFor()
  })

  test('the language is chosen in the profile, too', async () => {
    const page = await here().open('/me', german)
    const language = page.getByRole('group', { name: 'Sprache' })
    await language.getByRole('button', { name: 'Wie der Browser', pressed: true }).waitFor()
    await language.getByRole('button', { name: 'English' }).click()
    await page.getByRole('heading', { name: 'Your profile' }).waitFor()
    await page
      .getByRole('group', { name: 'Language' })
      .getByRole('button', { name: 'English', pressed: true })
      .waitFor()
    await page.getByRole('group', { name: 'Theme' }).getByRole('button', { name: 'Dark' }).click()
    await page.locator('html.dark').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'As the browser' }).click()
    await page.getByRole('heading', { name: 'Eigenes Profil' }).waitFor()
  })

  test('agents choose it, too, who have no profile', async () => {
    const agent = await here().world.agent()
    const page = await here().open('/me', german, agent)
    await page.getByRole('group', { name: 'Sprache' }).getByRole('button', { name: 'English' }).click()
    await page.getByRole('group', { name: 'Language' }).waitFor()
  })

  test('why a spec cannot move is German, without names of the service', async () => {
    const scene = await Scene.on(here().world)
    const spec_id = await scene.spec('approved')
    await here().world.ok('update_board', { board_id: scene.boardId, settings: { require_spec_validation: true } })
    const { ref } = await here().world.ok('get_spec', { spec_id })
    const page = await here().open(`/b/${await scene.boardKey()}/specs/${ref}`, german)
    const why = page.locator('.plan-before .gate-why')
    await why.first().waitFor()
    expect(await why.allTextContents()).toContain(
      'Dieses Board prüft seine Specs. Eine bestandene Prüfung verschiebt die Spec von selbst.',
    )
  })

  test('a time that has passed is written out', async () => {
    const scene = await Scene.on(here().world)
    await scene.spec('draft')
    const page = await here().open(`/b/${await scene.boardKey()}/activity`, german)
    // Playwright's clock would stay in place for the pages of other tests, and remove their list of resources.
    await page.addInitScript('const now = Date.now; Date.now = () => now() + 180_000')
    await page.reload()
    await page
      .locator('time', { hasText: /^vor \d+ Min\.$/ })
      .first()
      .waitFor()
  })

  test('the texts come in one script, and pages are English where it does not come', async () => {
    const page = await here().open('/', german)
    await page.getByRole('heading', { name: 'Eingang' }).waitFor()
    const scripts = await page.evaluate<string[]>(
      `performance.getEntriesByType('resource').map(({ name }) => name).filter(name => /\\/assets\\/de-/.test(name))`,
    )
    expect(scripts).toHaveLength(1)
    await page.route('**/assets/de-*.js', route => route.abort())
    await page.goto(`${here().url}/?again`)
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await languageOf(page)).toBe('en')
  })
})

describeInBrowser('in any other browser', () => {
  const here = browsing()

  test('pages are English, and none of the German texts are loaded', async () => {
    await Scene.on(here().world)
    const page = await here().open('/', { locale: 'fr-FR' })
    await page.getByRole('heading', { name: 'Inbox' }).waitFor()
    expect(await languageOf(page)).toBe('en')
    expect(
      await page.evaluate(`performance.getEntriesByType('resource').some(({ name }) => /\\/assets\\/de-/.test(name))`),
    ).toBe(false)
  })
})
