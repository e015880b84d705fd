import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { openButton } from './support/hands.ts'

const mockup = '<style>p { color: rgb(1, 2, 3) }</style><p>Three things</p><script>document.title = "attacked"</script>'

describeInBrowser('forms of planning records', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  /** The page of a record of a kind, by its id. */
  const openRecord = async (kind: 'ideation' | 'refinement' | 'spec' | 'sprint', id: string, looks = {}) => {
    const read = () => here().world.ok(`get_${kind}`, { [`${kind}_id`]: id })
    const { ref } = await read()
    const page = await here().open(`/b/${key}/${kind}s/${ref}`, looks)
    await page.getByRole('region', { name: 'Moves' }).waitFor()
    // On a narrow page, the content next to it is folded away.
    const folded = page.locator('.card-side .folded-part > summary')
    if ((await folded.count()) > 0) await folded.click()
    await page.getByRole('heading', { name: 'Actions' }).waitFor()
    return { page, ref, now: read }
  }

  test('an ideation is evaluated, a spec derived from it; what is not open yet says why', async () => {
    const { page, now } = await openRecord('ideation', await scene.ideation('evaluating', { title: 'Small one' }))
    await page.getByRole('button', { name: 'Derive a spec' }).click()
    await page.getByRole('dialog', { name: 'Derive a spec: not yet' }).getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Evaluate the scope' }).click()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('Areas it touches', { exact: true }).fill('1')
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('areas 1, unclear 1, dependencies 1').waitFor()
    expect((await now()).complexity).toBe('small')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Done', exact: true }).click()
    await expect.poll(async () => (await now()).status).toBe('done')
    await page.locator('button:not([title])', { hasText: 'Derive a spec' }).click()
    await page.waitForURL('**/specs/*')
    await page.getByRole('heading', { level: 1, name: 'Small one' }).waitFor()
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('what goes with a spec is read, added and removed, %s, %i wide', async (colorScheme, width) => {
    const screen = { id: 'sm_1', title: 'Basket', html_content: mockup }
    const id = await scene.spec('draft', { title: `Well known, ${colorScheme}`, screen_mockups: [screen] })
    await here().world.ok('create_spec_architecture', { spec_id: id, title: 'Shop', global_description: 'Parts.' })
    const { page, now } = await openRecord('spec', id, { colorScheme, width })
    await page.getByText('Basket').click()
    const three = page
      .frameLocator('iframe[title="Basket"]')
      .frameLocator('iframe[title="Basket"]')
      .getByText('Three things')
    await three.waitFor()
    // It has its own styles, and runs no script.
    const look = await three.evaluate(text => {
      const { defaultView, title } = text.ownerDocument
      return [defaultView.getComputedStyle(text).color, title]
    })
    expect(look).toEqual(['rgb(1, 2, 3)', ''])
    await page.getByRole('button', { name: 'Add knowledge' }).click()
    const dialog = page.getByRole('dialog', { name: 'Add knowledge' })
    await dialog.getByLabel('Title').fill('Prices')
    await dialog.getByLabel('What is known').fill('They are **net**.')
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Prices', { exact: true }).click()
    await page.locator('strong', { hasText: 'net' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove the knowledge Prices' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(async () => (await now()).knowledge_bases).toEqual([])
    await page.getByRole('link', { name: /^Shop/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Shop' }).waitFor()
  })

  test('a choice is put as a question, and answered', async () => {
    const { page, now } = await openRecord('refinement', await scene.refinement('draft', { title: 'Undecided' }))
    await page.getByRole('button', { name: 'Ask for a choice' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask for a choice' })
    await dialog.getByLabel('Your question').fill('Which way?')
    await dialog.getByLabel('Choices, one per line').fill('Left\nRight')
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await page.getByLabel('Right').check()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(async () => (await now()).qa_items).toMatchObject([{ question_type: 'choice', selected: ['c2'] }])
  })

  test.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)('a spec is validated, then evaluated, %s, %i wide', async (colorScheme, width) => {
    const { page, now } = await openRecord('spec', await scene.spec('approved'), { colorScheme, width })
    const fill = async (score: string, value: string) => {
      await page.getByLabel(score, { exact: true }).fill(value)
      await page.getByLabel(`Why: ${score}`).fill('Everybody has read it')
    }
    await page.getByRole('button', { name: 'Validate', exact: true }).click()
    await fill('Completeness (0–100)', '70')
    await fill('Assertiveness (0–100)', '90')
    await fill('Ambiguity (0–100, 0 = clear)', '5')
    await page.getByLabel('The verdict in words').fill('It is good enough to begin with.')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Not passed: completeness 70 < min 80').first().waitFor()
    await page.getByRole('button', { name: 'Validate', exact: true }).click()
    await fill('Completeness (0–100)', '90')
    await fill('Assertiveness (0–100)', '90')
    await fill('Ambiguity (0–100, 0 = clear)', '5')
    await page.getByLabel('The verdict in words').fill('It is good enough to begin with.')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect.poll(async () => (await now()).status).toBe('validated')
    // The dialog shows the verdicts too, until it has closed.
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByText('Current', { exact: true }).waitFor()
    await openButton(page, 'Evaluate').click()
    for (const score of [
      'Completeness of the cards',
      'Size of the cards',
      'Order of the cards',
      'Quality of the tests',
      'Overall',
    ])
      await fill(`${score} (0–100)`, '80')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await page.getByRole('article').getByText('80 of 100').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width)
  })

  test('labels, assignee, flags and thresholds of a spec are set', async () => {
    const { page, now } = await openRecord('spec', await scene.spec('draft', { labels: ['old'] }))
    await page.getByLabel('Add a label').fill('new')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove old' }).click()
    await expect.poll(async () => (await now()).labels).toEqual(['new'])
    await page.getByLabel('Assignee').selectOption('Local Owner')
    await page.getByText('Gate rules').click()
    await page.getByLabel('Without test cards for scenarios').click()
    await page.getByLabel('Evaluations: minimum average').fill('85')
    await page.keyboard.press('Tab')
    await page.getByLabel('Cards are validated').selectOption('Yes')
    await expect
      .poll(now)
      .toMatchObject({ skip_test_coverage: true, validation_threshold: 85, require_task_validation: true })
    expect((await now()).assignee_id).toBe(here().world.owner.id)
    expect(await seriousFindings(page)).toEqual([])
  })

  test('labels that are changed while a change is under way are all kept', async () => {
    const { page, now } = await openRecord('spec', await scene.spec('draft', { labels: ['old'] }))
    await page.route('**/specs/*', async route => {
      if (route.request().method() !== 'GET') await new Promise(resolve => setTimeout(resolve, 300))
      await route.continue()
    })
    for (const label of ['new', 'newer']) {
      await page.getByLabel('Add a label').fill(label)
      await page.keyboard.press('Enter')
    }
    await page.getByRole('button', { name: 'Remove old' }).click()
    await expect.poll(async () => (await now()).labels).toEqual(['new', 'newer'])
  })

  test('the open cards of a spec are cut into suggested sprints', async () => {
    const spec_id = await scene.spec('approved')
    for (const title of ['The first slice', 'The second slice']) await scene.card({ spec_id, title })
    const { page } = await openRecord('spec', spec_id)
    await page.getByRole('button', { name: 'Suggest sprints' }).click()
    const dialog = page.getByRole('dialog', { name: 'Suggested sprints' })
    await dialog.getByRole('button', { name: 'Create this sprint of 2 cards' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByLabel('Cards per sprint, at most').fill('1')
    const first = dialog.getByRole('form', { name: 'Sprint 1' })
    await first.getByLabel('Title').fill('The beginning')
    await first.getByRole('button', { name: 'Create this sprint of 1 card' }).click()
    await expect.poll(() => dialog.getByRole('form').count()).toBe(1)
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: /The beginning/ }).waitFor()
    const sprints = await here().world.ok('list_spec_sprints', { board_id: scene.boardId, spec_id })
    expect(sprints).toMatchObject([{ title: 'The beginning', cards_total: 1 }])
  })

  test('a sprint has its dates, its cards and a verdict', async () => {
    const { sprint_id, spec_id } = await scene.sprint('active')
    await scene.card({ spec_id, title: 'Comes later' })
    const { page, now } = await openRecord('sprint', sprint_id)
    await page.getByRole('textbox', { name: 'Starts' }).fill('2026-11-16')
    await page.getByRole('textbox', { name: 'Ends' }).fill('2026-11-20')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await now()).end_date?.slice(0, 10)).toBe('2026-11-20')
    await page.getByRole('button', { name: 'Choose cards' }).click()
    await page
      .getByRole('dialog')
      .getByLabel(/Comes later/)
      .check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await now()).cards.length).toBe(2)
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'In review', exact: true }).click()
    await expect.poll(async () => (await now()).status).toBe('review')
    await openButton(page, 'Evaluate').click()
    for (const why of await page.getByLabel(/^Why: /).all()) await why.fill('Seen')
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click()
    await expect.poll(async () => (await now()).evaluations?.length).toBe(1)
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a scenario names its criteria and shows its tests; a card is made of the spec', async () => {
    const { page, now } = await openRecord(
      'spec',
      await scene.specWithScenarios(1, 'approved', { acceptance_criteria: ['One', 'Two'] }),
    )
    await page.getByRole('button', { name: 'Edit: Works' }).click()
    await page.getByRole('dialog').getByLabel('Two').check()
    await page.getByRole('dialog').getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await now()).test_scenarios[0].linked_criteria).toEqual(['1'])
    await page.getByRole('button', { name: 'New card' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill('Try it')
    await page.getByRole('dialog').getByLabel('Type').selectOption('test')
    await page.getByRole('dialog').getByLabel('Works').check()
    await page.getByRole('button', { name: 'Create' }).click()
    await expect.poll(async () => (await now()).cards.length).toBe(1)
    const [card] = (await now()).cards
    const scenarios = page.getByRole('region', { name: /^Test scenarios/ })
    await scenarios.getByRole('link', { name: card.ref }).waitFor()
    await scenarios.getByRole('button', { name: 'Record result: Works' }).click()
    await page.getByLabel('Output of the run').fill('1 passed')
    await page.getByRole('dialog').getByRole('button', { name: 'Record result' }).click()
    await scenarios.getByText('Passed', { exact: true }).waitFor()
    expect((await now()).test_scenarios[0].latest_evidence.output_snippet).toBe('1 passed')
  })

  test('a record is archived, brought back by Undo, and deleted after a question', async () => {
    const { page, now, ref } = await openRecord('spec', await scene.spec('draft', { title: 'Put away' }))
    await page.getByRole('button', { name: 'Archive' }).click()
    await expect.poll(async () => (await now()).archived).toBe(true)
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await now()).archived).toBe(false)
    await page.getByRole('button', { name: 'Archive' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: `Delete ${ref}?` })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByRole('heading', { name: 'Specs' }).waitFor()
    await page.getByRole('link', { name: 'Put away' }).waitFor({ state: 'detached' })
  })
})
