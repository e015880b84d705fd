import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { choose } from './support/filters.ts'
import { corpus } from './support/hostile.ts'

describeInBrowser('knowledge', () => {
  const here = browsing()
  let scene: Scene
  let key: string
  let specRef: string
  let node: (part: string) => Promise<string>

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
    const spec = await scene.specInGraph({
      title: 'Sessions',
      decisions: [
        { id: 'd1', title: 'Keep sessions in Redis', rationale: 'It is there', linked_requirements: ['0'] },
        { id: 'd2', title: 'Keep sessions in cookies', rationale: 'No store', supersedes_decision_id: 'd1' },
        { id: 'd3', title: 'Do not keep sessions in cookies', rationale: 'They are seen' },
      ],
      acceptance_criteria: [...corpus],
    })
    node = spec.node
    specRef = (await here().world.ok('get_spec', { spec_id: spec.spec_id })).ref
  })

  const open = (path: string, looks = {}) => here().open(`/b/${key}/knowledge${path}`, looks)
  const findsNothingSerious = async (page: Page) => expect(await seriousFindings(page)).toEqual([])

  test('a board that knows nothing says what belongs there', async () => {
    const { key: empty } = await here().world.ok('create_board', { name: 'Knows nothing', description: '' })
    const page = await here().open(`/b/${empty}/knowledge`)
    await page.getByText('Nothing is known yet').waitFor()
    for (const part of ['graph', 'sessions']) {
      await page.goto(`${here().url}/b/${empty}/knowledge/${part}`)
      await page.getByText(/Nothing is known yet|Nothing has changed the graph yet/).waitFor()
      await findsNothingSerious(page)
    }
  })

  test.each([
    ['', 'Newest first'],
    ['/graph', 'Graph around'],
    ['/queue', 'Up to date'],
    ['/health', 'Mean relevance'],
    ['/sessions', 'Taken from the spec “Sessions”'],
    ['/nodes/', 'Replaced by'],
  ])('%s has no serious finding, light and dark, and fits a phone', async (part, text) => {
    const page = await open(part === '/nodes/' ? `${part}${await node('decision:d1')}` : part)
    await page.getByText(text).first().waitFor()
    await findsNothingSerious(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.setViewportSize({ width: 390, height: 844 })
    await findsNothingSerious(page)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
  })

  test('a search by meaning and by words leads to a decision with its reasons and its source', async () => {
    const page = await open('')
    await page.getByLabel('What do you want to know?').fill('sessions redis')
    await page.keyboard.press('Enter')
    await page.getByText('% similar').first().waitFor()
    expect(page.url()).toContain('q=sessions+redis')
    await page.getByLabel('With all words').check()
    await page.getByText('1 found').waitFor()
    await page.getByLabel('Type').selectOption('Requirement')
    await page.getByText('Nothing is known about this').waitFor()
    await page.getByLabel('Type').selectOption('Decision')
    await page.getByRole('link', { name: 'Keep sessions in Redis' }).click()
    await page.getByRole('heading', { level: 1, name: 'Keep sessions in Redis' }).waitFor()
    await page.getByRole('region', { name: 'Rationale' }).getByText('It is there').waitFor()
    await page
      .getByRole('region', { name: /^Replaced by/ })
      .getByText('Keep sessions in cookies')
      .waitFor()
    await page.getByRole('link', { name: specRef }).click()
    await page.getByRole('heading', { level: 1, name: 'Sessions' }).waitFor()
  })

  test('a decision names what it contradicts; its relevance is raised', async () => {
    const page = await open(`/nodes/${await node('decision:d3')}`)
    await page
      .getByRole('region', { name: /^Contradicts/ })
      .getByText('Keep sessions in cookies')
      .waitFor()
    await page.getByRole('button', { name: 'Raise its relevance' }).click()
    await page.getByText(/^Relevance 0\.\d\d → /).waitFor()
  })

  test('the graph is walked through by keyboard, and filtered by type and time', async () => {
    const page = await open(`/graph?center=${await node('decision:d1')}`)
    await page.getByRole('link', { name: 'Sessions survive a restart' }).waitFor()
    await page.getByRole('button', { name: 'Show what Sessions is connected to' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Do not keep sessions in cookies' }).waitFor()
    await choose(page, 'Type', 'Requirement')
    await page.getByRole('link', { name: 'Keep sessions in cookies' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Sessions survive a restart' }).waitFor()
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Known since' }).click()
    // A year from now, by the keys of the calendar.
    await page.getByRole('dialog', { name: 'Known since' }).waitFor()
    await page.keyboard.press('Shift+PageDown')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Sessions survive a restart' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove the filter Known since' }).click()
    await page.getByRole('link', { name: 'Sessions survive a restart' }).waitFor()
    await page.getByRole('button', { name: 'Center on Sessions survive a restart' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Graph around Sessions survive a restart' }).waitFor()
  })

  test('a record stands in the middle by its id or reference, in the address and as it is typed', async () => {
    const spec_id = await scene.spec('draft', { title: 'Named by its key' })
    await scene.consolidated()
    const { ref } = await here().world.ok('get_spec', { spec_id })
    const around = (title: string) => page.getByRole('heading', { name: `Graph around ${title}` }).waitFor()
    const page = await open(`/graph?center=${spec_id}`)
    await around('Named by its key')
    await page.goto(`${here().url}/b/${key}/knowledge/graph?center=${await node('decision:d1')}`)
    await around('Keep sessions in Redis')
    await page.getByRole('button', { name: /^From: / }).click()
    await page.getByRole('combobox', { name: 'From' }).fill(ref.toLowerCase())
    await page.getByRole('option', { name: 'Named by its key' }).and(page.locator('.at')).waitFor()
    await page.keyboard.press('Enter')
    await around('Named by its key')
    await page.goto(`${here().url}/b/${key}/knowledge?q=${ref}`)
    await page.locator('.knowledge-title', { hasText: 'Named by its key' }).waitFor()
    await page.goto(`${here().url}/b/${key}/knowledge/graph?center=${ref}`)
    await around('Named by its key')
  })

  test('a path between two items is chosen by keyboard, stands out and is told; and that there is none', async () => {
    const page = await open(`/graph?center=${await node('decision:d3')}`)
    await page.getByRole('button', { name: 'Path to: Choose an item' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('combobox', { name: 'Path to' }).fill('Redis')
    await page.getByRole('option', { name: 'Redis', exact: true }).and(page.locator('.at')).waitFor()
    await page.keyboard.press('Enter')
    const path = page.getByRole('region', { name: 'Path', exact: true })
    await path.getByText('Connected in 3 steps.').waitFor()
    const named = await path.getByRole('link').allTextContents()
    expect([named.at(0), named.at(2), named.at(3)]).toEqual([
      'Do not keep sessions in cookies',
      'Keep sessions in Redis',
      'Redis',
    ])
    expect(await page.locator('.knowledge-node.on-path').count()).toBe(4)
    await findsNothingSerious(page)
    await page.getByRole('button', { name: 'Hide the path' }).click()
    await path.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Path to Sessions', exact: true }).click()
    await path.getByText('Directly connected.').waitFor()
    const apart = await scene.spec('draft', { title: 'Apart from all' })
    await scene.consolidated()
    await page.goto(`${here().url}/b/${key}/knowledge/graph?center=spec:${apart}&to=${await node('decision:d1')}`)
    await path.getByText('Nothing connects these two.').waitFor()
    await path.getByText('leads from Apart from all to Keep sessions in Redis').waitFor()
  })

  test('a session is taken back, where others build on it after a second word', async () => {
    const spec = await scene.spec('draft', { title: 'Taken back' })
    await scene.consolidated()
    await here().world.ok('update_spec', { spec_id: spec, description: 'More' })
    await scene.consolidated()
    const page = await open('/sessions')
    await page.getByRole('button', { name: 'Undo: Taken from the spec “Taken back”' }).nth(1).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await page.getByRole('button', { name: 'Undo anyway' }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.getByText('Undone').waitFor()
  })

  test('reading is paused, what waits is listed, and read again', async () => {
    const page = await open('/health')
    await page.getByLabel('Add new and changed texts to the graph').click()
    await expect
      .poll(
        async () => (await here().world.ok('get_board_kg_settings', { board_id: scene.boardId })).consolidation_enabled,
      )
      .toBe(false)
    await scene.spec('draft', { title: 'Waits to be read' })
    await page.getByRole('link', { name: 'Queue' }).click()
    await page.getByRole('row', { name: /Waits to be read.*Paused/ }).waitFor()
    await page
      .getByRole('row', { name: /Waits to be read/ })
      .getByRole('button', { name: 'Try again' })
      .click()
    await page.getByText('is queued again').waitFor()
    await page.getByRole('link', { name: 'Health' }).click()
    await page.getByLabel('Add new and changed texts to the graph').click()
    await page.getByRole('button', { name: 'Start' }).click()
    await page.getByText(/\d+ of \d+ records/).waitFor()
  })

  test('who may only read is told what is lacking', async () => {
    const agent = await here().world.agent({ permission_flags: { KG_UPDATE: false, KG_ADMIN: false } })
    await scene.admit(agent)
    const page = await here().open(`/b/${key}/knowledge/nodes/${await node('decision:d1')}`, {}, agent)
    const button = page.getByRole('button', { name: 'Raise its relevance' })
    await button.waitFor()
    await expect.poll(() => button.isDisabled()).toBe(true)
    await button.click({ force: true })
    await page
      .getByRole('alert')
      .getByText('You may not update the knowledge graph (KG_UPDATE). Allowed for Local Owner')
      .waitFor()
  })

  test('a page follows what becomes known elsewhere', async () => {
    const page = await open('')
    await page.getByText('Newest first').waitFor()
    await scene.specInGraph({ title: 'Made meanwhile', functional_requirements: ['Baskets outlive the session'] })
    await page.getByText('Baskets outlive the session').first().waitFor()
  })
})
