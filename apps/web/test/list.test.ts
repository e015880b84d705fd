import type { Page } from 'playwright-core'
import { beforeEach, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser, phone } from './support/browser.ts'

/** The row of a card. */
const row = (page: Page, title: string) => page.getByRole('row').filter({ hasText: title })

/** The titles of the rows that are shown, in their order. */
const titles = (page: Page) => page.locator('tbody [data-entry]').allInnerTexts()

/** The words of the group heads. */
const heads = (page: Page) => page.locator('.records-fold').allInnerTexts()

describeInBrowser('the list of cards', () => {
  const here = browsing()
  let scene: Scene
  let path: string

  beforeEach(async () => {
    scene = await Scene.on(here().world)
    path = `/b/${await scene.boardKey()}/list`
  })

  const open = async (query = '', looks = {}) => {
    const page = await here().open(path + query, looks)
    await page.locator('[data-row]').first().waitFor()
    return page
  }

  const cardOf = (card_id: string) => here().world.ok('get_card', { card_id })

  test('rows stand in groups, are sorted by their heads, and the address says how', async () => {
    await scene.workableCard({ title: 'B', priority: 'low', due_date: '2030-01-02' })
    await scene.workableCard({ title: 'A', priority: 'critical', due_date: '2020-01-02' })
    const moved = await scene.workableCard({ title: 'C' })
    await here().world.ok('move_card', { card_id: moved, target_status: 'started' })
    const page = await open()
    expect(await heads(page)).toEqual(['Not started', 'Started'])
    await row(page, 'Not started').getByText('1 late').waitFor()
    expect(await page.locator('tfoot').textContent()).toMatch(/3 cards.*1 late/)
    await page.getByRole('columnheader', { name: 'Due' }).getByRole('button').click()
    await expect.poll(() => titles(page)).toEqual(['A', 'B', 'C'])
    await page.getByRole('columnheader', { name: 'Due' }).getByRole('button').click()
    await expect.poll(() => titles(page)).toEqual(['B', 'A', 'C'])
    expect(await page.getByRole('columnheader', { name: 'Due' }).getAttribute('aria-sort')).toBe('descending')
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByLabel('Group by').selectOption('Priority')
    await page.getByRole('switch', { name: 'Spec' }).uncheck()
    await page.keyboard.press('Escape')
    await expect.poll(() => heads(page)).toEqual(['Critical', 'Low', 'No priority'])
    expect(new URL(page.url()).searchParams.get('sort')).toBe('-due')
    await page.getByRole('button', { name: 'Critical' }).click()
    await expect.poll(() => titles(page)).toEqual(['B', 'C'])
    await page.reload()
    await expect.poll(() => heads(page)).toEqual(['Critical', 'Low', 'No priority'])
    expect(await page.getByRole('columnheader', { name: 'Spec' }).count()).toBe(0)
  })

  test('a value is changed where it stands, with the focus staying and a way back', async () => {
    const id = await scene.workableCard({ title: 'Changed here', priority: 'low' })
    const page = await open('?group=none')
    await page.getByRole('button', { name: /^Priority of .*: Low/ }).click()
    await page.getByRole('option', { name: 'High', exact: true }).click()
    await page.getByRole('button', { name: /^Priority of .*: High/ }).waitFor()
    await expect.poll(async () => (await cardOf(id)).priority).toBe('high')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await cardOf(id)).priority).toBe('low')
    await page.getByRole('button', { name: /^Due date of/ }).click()
    await page.getByLabel('Due date', { exact: true }).fill('2031-05-06')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await cardOf(id)).due_date).toMatch(/^2031-05-06/)
    await page.getByRole('button', { name: /^Status of .*: Not started/ }).click()
    await page.getByRole('menuitem', { name: 'Started', exact: true }).click()
    await expect.poll(async () => (await cardOf(id)).status).toBe('started')
    await page.getByRole('button', { name: /^Status of .*: Started/ }).waitFor()
  })

  test('somebody else who changed the same value meanwhile is told, and nothing is lost', async () => {
    const id = await scene.workableCard({ title: 'Contested', priority: 'low' })
    const page = await open()
    await page.getByRole('button', { name: /^Priority of/ }).click()
    await page.getByRole('option', { name: 'Critical' }).waitFor()
    // Somebody else's write reaches the service while the list of choices is open, before one is pressed.
    await page.route('**/api/v1/boards/*/cards*', route => route.abort())
    await here().world.ok('update_card', { card_id: id, priority: 'high' })
    await page.getByRole('option', { name: 'Critical' }).click()
    const dialog = page.getByRole('dialog', { name: /^Somebody changed the priority/ })
    await dialog.getByText('It is “High” now. You chose “Critical”.').waitFor()
    expect((await cardOf(id)).priority).toBe('high')
    await page.unroute('**/api/v1/boards/*/cards*')
    await dialog.getByRole('button', { name: 'Set “Critical”' }).click()
    await expect.poll(async () => (await cardOf(id)).priority).toBe('critical')
  })

  test('several rows are changed as one', async () => {
    const ids = [await scene.workableCard({ title: 'One' }), await scene.workableCard({ title: 'Two' })]
    const page = await open()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByText('2 selected').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('toolbar').getByRole('button', { name: 'Due…' }).click()
    await page.getByLabel('Due date', { exact: true }).fill('2031-05-06')
    await page.keyboard.press('Enter')
    for (const id of ids) await expect.poll(async () => (await cardOf(id)).due_date).toMatch(/^2031-05-06/)
    await row(page, 'One')
      .getByRole('button', { name: /^Priority/ })
      .click()
    await page.getByRole('option', { name: 'High', exact: true }).click()
    for (const id of ids) await expect.poll(async () => (await cardOf(id)).priority).toBe('high')
  })

  test('keys lead through the rows and act on them', async () => {
    const ids = [await scene.workableCard({ title: 'First' }), await scene.workableCard({ title: 'Second' })]
    const page = await open()
    const focused = () => page.evaluate<string>('document.activeElement.textContent')
    await page.keyboard.press('j')
    await expect.poll(focused).toBe('First')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toBe('Second')
    await page.keyboard.press('p')
    await page.getByRole('combobox', { name: 'Priority…' }).fill('crit')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await cardOf(ids[1]!)).priority).toBe('critical')
    await page.keyboard.press('Shift+ArrowUp')
    await page.getByText('2 selected').waitFor()
    await page.keyboard.press('x')
    await page.getByText('1 selected').waitFor()
    await page.keyboard.press('Space')
    const drawer = page.getByRole('dialog')
    await drawer.getByText('First').first().waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    await page.keyboard.press(']')
    await drawer.getByRole('heading', { name: 'Second' }).waitFor()
    expect(new URL(page.url()).pathname).toBe(path)
    await page.keyboard.press('Escape')
    await drawer.waitFor({ state: 'detached' })
  })

  test('who may not change cards sees why at the value', async () => {
    await scene.workableCard({ title: 'Closed' })
    const reader = await here().world.agent({ permission_flags: { CARDS_UPDATE: false } })
    await scene.admit(reader)
    const page = await here().open(path, {}, reader)
    const priority = page.getByRole('button', { name: /^Priority of/ })
    await priority.waitFor()
    await expect.poll(() => priority.getAttribute('aria-disabled')).toBe('true')
  })

  test('what is shown is saved as a file, and printed whole', async () => {
    await scene.workableCard({ title: '=Sum, of all' })
    const page = await open('?group=none')
    await page.getByRole('button', { name: 'More for this list' }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Export as CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/-cards\.csv$/)
    const stream = await download.createReadStream()
    let text = ''
    for await (const part of stream) text += String(part)
    expect(text).toContain('"\'=Sum, of all"')
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('.side').isVisible()).toBe(false)
    await row(page, '=Sum, of all').waitFor()
  })

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async colorScheme => {
    await scene.workableCard({ title: 'مرحبا بالعالم', labels: ['mail', 'web', 'more'] })
    await scene.card({ title: 'Waits', card_type: 'normal' })
    const page = await open(
      '?cols=priority,status,type,spec,sprint,labels,proof,change,due,age,updated,comments,assignee',
      {
        colorScheme,
      },
    )
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByRole('dialog', { name: 'Display' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('on a phone a row has what there is room for, and is opened by a tap', async () => {
    await scene.workableCard({ title: 'On a phone, a long title that does not fit into the width of it' })
    const page = await open('', phone)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await page.locator('[data-entry]').tap()
    await page.getByRole('dialog').waitFor()
  })

  test('without cards it says what belongs there, and adds the first', async () => {
    const page = await here().open(path)
    await page.getByText('This board has no cards yet.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await scene.workableCard({ title: 'Found' })
    await row(page, 'Found').waitFor()
    await page.getByLabel('Filter by words or reference').fill('nothing like it')
    await page.getByText('No card matches the filters').waitFor()
  })
})

describeInBrowser('saved views', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeEach(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
    await scene.workableCard({ title: 'Late', due_date: '2020-01-01' })
    await scene.workableCard({ title: 'In time' })
  })

  const views = (page: Page) =>
    page.getByRole('navigation', { name: 'Navigation' }).getByRole('list', { name: 'Views' })

  test('what a page shows gets a name, stands in the sidebar, and is saved again when it changes', async () => {
    const page = await here().open(`/b/${key}/list?due=overdue&group=none`)
    await page.getByRole('button', { name: 'Save view' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save this view' })
    await dialog.getByLabel('Name').fill('Too late')
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    const link = views(page).getByRole('link', { name: 'Too late' })
    await link.and(page.locator('[aria-current="page"]')).waitFor()
    await page.goto(`${here().url}/b/${key}/board`)
    await page.locator('.tile').first().waitFor()
    await link.click()
    await expect.poll(() => titles(page)).toEqual(['Late'])
    await page.getByRole('columnheader', { name: 'Age' }).getByRole('button').click()
    await page
      .getByRole('button', { name: /Too late/ })
      .and(page.locator('.view-button'))
      .getByText('changed')
      .waitFor()
    await page.locator('.view-button').click()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('menuitem', { name: 'Save the change in this view' }).click()
    await page.getByText('changed', { exact: true }).waitFor({ state: 'detached' })
    const [view] = await here().world.ok('list_views', { board_id: scene.boardId })
    expect(view).toMatchObject({
      name: 'Too late',
      page: 'list',
      query: 'due=overdue&group=none&sort=age',
      shared: false,
    })
  })

  test('one that is shared appears for others at once; they may not change it', async () => {
    const other = await here().world.agent({ permission_flags: { BOARDS_UPDATE: false } })
    await scene.admit(other)
    const theirs = await here().open(`/b/${key}/board`, {}, other)
    await theirs.locator('.tile').first().waitFor()
    const page = await here().open(`/b/${key}/board?due=overdue`)
    await page.getByRole('button', { name: 'Save view' }).click()
    await page.getByLabel('Name').fill('For all of us')
    await page.getByRole('checkbox', { name: /^For all on/ }).check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await views(theirs).getByRole('link', { name: 'For all of us' }).click()
    await theirs.locator('.view-button').click()
    await expect
      .poll(() => theirs.getByRole('menuitem', { name: 'Delete this view' }).getAttribute('aria-disabled'))
      .toBe('true')
    await page.locator('.view-button').click()
    await page.getByRole('menuitem', { name: 'Delete this view' }).click()
    await views(theirs).waitFor({ state: 'detached' })
  })
})

describeInBrowser('the tables of what work is planned with', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeEach(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  test('specs show how far they are, are grouped and changed where they stand', async () => {
    const spec_id = await scene.spec('approved', { title: 'Keep the basket', acceptance_criteria: ['Kept', 'Joined'] })
    const draft = await scene.spec('draft', { title: 'Gift cards', labels: ['money'] })
    await scene.card({ spec_id, title: 'Join both' })
    const page = await here().open(`/b/${key}/specs`)
    const basket = row(page, 'Keep the basket')
    await basket.getByRole('progressbar', { name: 'Cards done' }).waitFor()
    await basket.getByRole('progressbar', { name: 'Coverage' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('columnheader', { name: 'Title' }).getByRole('button').click()
    await expect.poll(() => titles(page)).toEqual(['Gift cards', 'Keep the basket'])
    await page.getByRole('button', { name: 'Display' }).click()
    await page.getByLabel('Group by').selectOption('Status')
    // Out of the field, then out of the panel.
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await expect.poll(() => heads(page)).toEqual(['Draft', 'Approved'])
    await row(page, 'Gift cards')
      .getByRole('button', { name: /^Assignee of/ })
      .click()
    await page.getByRole('option', { name: 'Local Owner' }).click()
    const owner = here().world.owner.id
    await expect.poll(async () => (await here().world.ok('get_spec', { spec_id: draft })).assignee_id).toBe(owner)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await here().world.ok('get_spec', { spec_id: draft })).assignee_id).toBe(null)
  })

  test('a status is changed where it stands, as far as nothing is asked', async () => {
    const ideation_id = await scene.ideation('draft', { title: 'Moved here' })
    const page = await here().open(`/b/${key}/ideations`)
    await page.getByRole('button', { name: /^Status of/ }).click()
    await page.getByRole('menuitem', { name: 'In review' }).click()
    await expect.poll(async () => (await here().world.ok('get_ideation', { ideation_id })).status).toBe('review')
    await page.getByRole('button', { name: /^Status of .*: In review/ }).waitFor()
    await page.keyboard.press('j')
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Moved here')
  })

  test.each(['ideations', 'refinements'] as const)('%s show when they were created, and sort by it', async folder => {
    const ideation_id = await scene.ideation('draft', { title: 'The elder one' })
    const ids =
      folder === 'ideations'
        ? [ideation_id, await scene.ideation('draft', { title: 'The younger one' })]
        : [
            await scene.refinement('draft', { title: 'The elder one' }),
            await scene.refinement('draft', { title: 'The younger one' }),
          ]
    const [first] = ids
    // The record that was changed last is not the one that was created last.
    if (folder === 'ideations') await here().world.ok('update_ideation', { ideation_id: first, labels: ['again'] })
    else await here().world.ok('update_refinement', { refinement_id: first, labels: ['again'] })
    const page = await here().open(`/b/${key}/${folder}`)
    const listedTitles = () => page.getByRole('link', { name: /^The (?:elder|younger) one$/ }).allTextContents()
    await page.getByRole('link', { name: 'The younger one' }).waitFor()
    expect(await listedTitles()).toEqual(['The elder one', 'The younger one'])
    await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click()
    await expect.poll(listedTitles).toEqual(['The younger one', 'The elder one'])
    await page.getByRole('columnheader', { name: 'Created' }).getByRole('button').click()
    await expect.poll(listedTitles).toEqual(['The elder one', 'The younger one'])
  })

  test('on a phone a list fits the width', async () => {
    await scene.spec('draft', { title: 'A spec with a rather long title that does not fit' })
    const page = await here().open(`/b/${key}/specs`, phone)
    await page.locator('[data-row]').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    expect(await seriousFindings(page)).toEqual([])
  })

  test.each([phone, { width: 390 }])('titles stand above their facts in a narrow window, %j', async looks => {
    await scene.spec('draft', { title: 'A spec in a narrow window' })
    const page = await here().open(`/b/${key}/specs`, looks)
    const row = page.locator('[data-row]').filter({ hasText: 'A spec in a narrow window' })
    await row.waitFor()
    // With touch input, the line box of the link overlaps the facts; its letters do not.
    const letters = await row.locator('[data-entry]').evaluate(link => {
      const range = link.ownerDocument.createRange()
      range.selectNodeContents(link)
      return range.getBoundingClientRect().bottom
    })
    const facts = await row.locator('.cell-facts .ref').boundingBox()
    expect(facts!.y).toBeGreaterThanOrEqual(letters)
  })

  test.each(['en', 'de'])('all columns are in sight on a laptop, %s', async locale => {
    await scene.spec('draft')
    const page = await here().open(`/b/${key}/specs`, { locale })
    await page.locator('[data-row]').first().waitFor()
    expect(await page.locator('.records-scroll').evaluate(list => list.scrollWidth - list.clientWidth)).toBe(0)
  })
})
