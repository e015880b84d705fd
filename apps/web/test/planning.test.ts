import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { choose } from './support/filters.ts'
import { corpus } from './support/hostile.ts'

describeInBrowser('planning records', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  /** The page of a new spec. */
  const openSpec = async (fields: Readonly<Record<string, unknown>> = {}, looks = {}) => {
    const spec = await here().world.ok('get_spec', { spec_id: await scene.spec('draft', fields) })
    const page = await here().open(`/b/${key}/specs/${spec.ref}`, looks)
    await page.getByRole('heading', { level: 1, name: spec.title }).waitFor()
    return { spec, page, specNow: () => here().world.ok('get_spec', { spec_id: spec.id }) }
  }

  test.each(['ideations', 'refinements', 'specs', 'sprints'])('%s without one say what belongs there', async folder => {
    const { key: empty } = await here().world.ok('create_board', { name: `No ${folder}`, description: '' })
    const page = await here().open(`/b/${empty}/${folder}`)
    await page.getByText(`No ${folder} yet`).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a list is filtered by words and status, which the address keeps', async () => {
    await scene.spec('draft', { title: 'Sign in by key', labels: ['auth'] })
    await scene.spec('approved', { title: 'Sign out' })
    const page = await here().open(`/b/${key}/specs`)
    await page.getByRole('link', { name: 'Sign in by key' }).waitFor()
    await page.getByLabel('Filter by text').fill('sign')
    await choose(page, 'Status', 'Approved')
    await page.getByRole('link', { name: 'Sign in by key' }).waitFor({ state: 'detached' })
    expect(page.url()).toContain('q=sign&status=approved')
    await page.reload()
    await page.getByText('1 record').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a record is made from its title and opened', async () => {
    const page = await here().open(`/b/${key}/ideations`)
    await page.getByRole('button', { name: 'New ideation' }).click()
    await page.getByLabel('Title').fill('A new idea')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'A new idea' }).waitFor()
  })

  test('what somebody else makes appears in the list', async () => {
    const page = await here().open(`/b/${key}/ideations`)
    await page.getByRole('heading', { name: 'Ideations' }).waitFor()
    await scene.ideation('draft', { title: 'Made elsewhere' })
    await page.getByText('Made elsewhere').waitFor()
  })

  test.each(['light', 'dark'] as const)('a spec has no serious finding, %s', async colorScheme => {
    const items = { business_rules: [{ id: 'br1', title: 'Once', rule: 'A link works once', when: '', then: '' }] }
    const { page } = await openSpec({ acceptance_criteria: ['It works'], ...items }, { colorScheme })
    await page.getByText('A link works once').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('texts, lines and items are edited in place', async () => {
    const { page, specNow } = await openSpec({ description: 'Before', acceptance_criteria: ['One', 'Two'] })
    await page.getByRole('button', { name: 'Edit: Description' }).click()
    const description = page.getByRole('textbox', { name: 'Description' })
    await description.fill('After')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await description.waitFor({ state: 'detached' })
    await page.getByText('After').waitFor()
    await page.getByRole('button', { name: 'Edit: Acceptance criteria 2' }).click()
    const criterion = page.getByRole('textbox', { name: 'Acceptance criteria 2' })
    await criterion.fill('Deux')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await criterion.waitFor({ state: 'detached' })
    await page.getByText('Deux').waitFor()
    await page.getByRole('textbox', { name: 'Add to acceptance criteria' }).fill('Three')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('button', { name: 'Edit: Acceptance criteria 3' }).waitFor()
    await page.getByRole('button', { name: 'Add to test scenarios' }).click()
    await page.getByRole('textbox', { name: 'Title' }).fill('Signs in')
    await page.getByRole('textbox', { name: 'Given' }).fill('a key')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Signs in').waitFor()
    const spec = await specNow()
    expect(spec.description).toBe('After')
    expect(spec.acceptance_criteria).toEqual(['One', 'Deux', 'Three'])
    expect(spec.test_scenarios).toMatchObject([{ id: 'ts1', title: 'Signs in', given: 'a key' }])
  })

  test('a line that somebody else moved is still the one that is edited', async () => {
    const { page, spec, specNow } = await openSpec({ acceptance_criteria: ['One', 'Two'] })
    await page.getByRole('button', { name: 'Edit: Acceptance criteria 2' }).click()
    await page.getByRole('textbox', { name: 'Acceptance criteria 2' }).fill('Deux')
    await here().world.ok('update_spec', { spec_id: spec.id, acceptance_criteria: ['Zero', 'One', 'Two'] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await specNow()).acceptance_criteria).toEqual(['Zero', 'One', 'Deux'])
  })

  test('an item that somebody else changed loses neither text', async () => {
    const item = { id: 'br1', title: 'Once', rule: 'Mine to change', when: '', then: '' }
    const { page, spec, specNow } = await openSpec({ business_rules: [item] })
    await page.getByRole('button', { name: 'Edit: Once' }).click()
    await page.getByRole('textbox', { name: 'Rule' }).fill('Mine')
    await here().world.ok('update_spec', { spec_id: spec.id, business_rules: [{ ...item, rule: 'Theirs' }] })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Rule: Theirs').waitFor()
    expect((await specNow()).business_rules?.[0]?.rule).toBe('Theirs')
    await page.getByRole('textbox', { name: 'Rule' }).fill('Theirs and mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await expect.poll(async () => (await specNow()).business_rules?.[0]?.rule).toBe('Theirs and mine')
  })

  test('the gates of a move are listed, and a refused one explains itself', async () => {
    const { ref } = await here().world.ok('get_spec', { spec_id: await scene.specWithScenarios(1, 'approved') })
    const page = await here().open(`/b/${key}/specs/${ref}`)
    await page.getByRole('list', { name: 'Gates: Validated' }).getByText('Coverage').first().waitFor()
    const moves = page.getByRole('region', { name: 'Moves' })
    await moves.getByRole('button', { name: /Move to/ }).click()
    await moves.getByText(/closed/).click()
    await page.getByRole('button', { name: 'Validated', exact: true }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
  })

  test('a move that loses nothing is taken back by Undo; the reference is copied with its address', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const ideation_id = await scene.ideation('draft', { title: 'Moved and back' })
    const { ref } = await world.ok('get_ideation', { ideation_id })
    const key = await scene.boardKey()
    const page = await here().open(`/b/${key}/ideations/${ref}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link and reference' }).click()
    await page.getByText(`Copied ${ref}`).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${ref} ${here().url}/b/${key}/ideations/${ref}`)
    await page.keyboard.press('m')
    await page.getByRole('region', { name: 'Moves' }).getByRole('button', { name: 'In review', exact: true }).click()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await world.ok('get_ideation', { ideation_id })).status).toBe('draft')
    await page.locator('.plan-state').getByText('Draft', { exact: true }).waitFor()
  })

  test('a record is moved', async () => {
    const { page, specNow } = await openSpec()
    await page.getByRole('button', { name: /Move to/ }).click()
    await page.getByRole('button', { name: 'In review', exact: true }).click()
    await expect.poll(async () => (await specNow()).status).toBe('review')
  })

  test('a question is asked and answered, by text and by choice', async () => {
    const { page, spec } = await openSpec()
    await here().world.ok('ask_spec_question', {
      spec_id: spec.id,
      question: 'Which one?',
      question_type: 'single_choice',
      choices: [
        { id: 'a', label: 'Red' },
        { id: 'b', label: 'Blue' },
      ],
    })
    await page.getByLabel('Blue').check()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('.answer').getByText('Blue').waitFor()
    await page.getByLabel('Your question').fill('Why?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByLabel('Your answer').fill('Because')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('Because').waitFor()
    await page.getByRole('button', { name: 'Remove question 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Because').waitFor({ state: 'detached' })
  })

  test('history shows what changed word by word', async () => {
    const { page, spec } = await openSpec({ description: 'The quick fox' })
    await here().world.ok('update_spec', { spec_id: spec.id, description: 'The slow fox' })
    await page.getByText('The slow fox').waitFor()
    await page.getByText('History').click()
    await page.getByText('What changed').first().click()
    await page.locator('del', { hasText: 'quick' }).waitFor()
    await page.locator('ins', { hasText: 'slow' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a finished version is read as it was', async () => {
    const id = await scene.ideation('done', { title: 'Kept', problem_statement: 'As it was' })
    const { ref } = await here().world.ok('get_ideation', { ideation_id: id })
    const page = await here().open(`/b/${key}/ideations/${ref}`)
    await page.getByText('Finished versions').click()
    await page.getByRole('button', { name: /^Version \d/ }).click()
    await page.getByRole('dialog').getByText('As it was').waitFor()
  })

  test('hostile texts are shown as text', async () => {
    const { page } = await openSpec({ description: corpus.join('\n\n'), functional_requirements: [...corpus] })
    await page.locator('.markdown').first().waitFor()
    expect(await page.evaluate('window.attacked')).toBeUndefined()
    expect(await page.locator('main img, main iframe, main script').count()).toBe(0)
  })

  test('a sprint shows its burn-up, what it can hold, and what is at risk', async () => {
    const { world } = here()
    const { sprint_id, spec_id, card_id } = await scene.sprint('active', { title: 'Watched' })
    const other = await scene.card({ spec_id, title: 'Comes first' })
    await world.ok('add_card_dependency', { card_id, depends_on_id: other })
    const end_date = new Date(Date.now() + 24 * 60 * 60_000).toISOString()
    const { ref } = await world.ok('update_sprint', { sprint_id, end_date })
    const page = await here().open(`/b/${key}/sprints/${ref}`)
    const progress = page.getByRole('region', { name: 'Progress' })
    await progress.getByText('0 of 1 card done; 1 day left').waitFor()
    await page.getByRole('region', { name: 'Capacity' }).getByText('This sprint').waitFor()
    const risk = page.getByRole('region', { name: 'At risk' })
    await risk.getByText(/^Nobody has it, .* left$/).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    const { ref: waited } = await world.ok('get_card', { card_id: other })
    await risk.getByRole('link', { name: waited, exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Comes first' }).waitFor()
  })

  test('a sprint fits a phone', async () => {
    const { sprint_id } = await scene.sprint('active', { objective: 'Ship it' })
    const { ref } = await here().world.ok('get_sprint', { sprint_id })
    const page = await here().open(`/b/${key}/sprints/${ref}`, { width: 390, height: 844 })
    await page.getByText('Ship it').waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(390)
    expect(await seriousFindings(page)).toEqual([])
  })
})
