import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('a card', () => {
  const here = browsing()
  let scene: Scene

  beforeAll(async () => {
    scene = await Scene.on(here().world)
  })

  /** A page of a new card. */
  const open = async (fields: Readonly<Record<string, unknown>> = {}, looks = {}) => {
    const card = await here().world.ok('get_card', { card_id: await scene.workableCard(fields) })
    const page = await here().open(`/b/${card.ref.split('-')[0]}/cards/${card.ref}`, looks)
    await page.getByRole('heading', { name: card.title }).waitFor()
    return { card, page }
  }

  test.each(['light', 'dark'] as const)('axe finds nothing serious, %s', async colorScheme => {
    const { page } = await open({ title: 'Looked at', description: '# A *text*\n\n- [ ] with a list' }, { colorScheme })
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a question is asked and answered, a comment written; both appear elsewhere', async () => {
    const { card, page } = await open({ title: 'Talked about' })
    await page.getByLabel('Write a comment').fill('Which colour?')
    await page.getByRole('button', { name: 'Ask a question' }).click()
    await page.getByRole('paragraph').getByText('Which colour?').waitFor()
    await page.getByLabel('Your answer').fill('Blue')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('Blue').waitFor()
    await here().world.ok('create_comment', { card_id: card.id, content: 'From elsewhere' })
    await page.getByText('From elsewhere').waitFor()
    await page.getByRole('button', { name: 'Remove question 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Which colour?').waitFor({ state: 'detached' })
  })

  test('a bug of it is reported, which is a card of the same spec', async () => {
    const { card, page } = await open({ title: 'Bill in dollars' })
    await page.getByRole('button', { name: 'Report a bug' }).click()
    const dialog = page.getByRole('dialog', { name: `Bug in ${card.ref}` })
    await dialog.getByLabel('Title').fill('Cents are lost')
    await dialog.getByLabel('Severity').selectOption({ label: 'Critical' })
    await dialog.getByLabel('Observed behaviour').fill('1.99 becomes 1')
    await dialog.getByLabel('Expected behaviour').fill('1.99 stays')
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Create the bug' }).click()
    await page.getByRole('heading', { name: 'Cents are lost' }).waitFor()
    await page.getByText('1.99 becomes 1').waitFor()
    const [bug] = (await here().world.ok('list_cards', { board_id: scene.boardId, card_type: 'bug' })) as [
      { id: string },
    ]
    expect(await here().world.ok('get_card', { card_id: bug.id })).toMatchObject({
      spec_id: card.spec_id,
      origin_task_id: card.id,
      severity: 'critical',
      steps_to_reproduce: null,
    })
  })

  test.each(['light', 'dark'] as const)('a choice is put, and made, %s', async colorScheme => {
    const { card, page } = await open({ title: `Decided, ${colorScheme}` }, { colorScheme })
    await page.getByRole('button', { name: 'Ask for a choice' }).click()
    const dialog = page.getByRole('dialog', { name: 'Ask for a choice' })
    await dialog.getByLabel('Write a comment').fill('Which colours?')
    await dialog.getByLabel('Choices, one per line').fill('Blue\nRed')
    await dialog.getByLabel('Allow', { exact: true }).selectOption({ label: 'Several choices' })
    await dialog.getByLabel('Allow another answer').check()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Post', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    const { comments } = await here().world.ok('get_card', { card_id: card.id })
    const choices = [
      { id: 'c1', label: 'Blue' },
      { id: 'c2', label: 'Red' },
    ]
    expect(comments).toMatchObject([{ comment_type: 'multi_choice', allow_free_text: true, choices }])
    await page.getByLabel('Red').check()
    await page.getByLabel('Your answer').fill('Or green')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('Chosen by Local Owner').waitFor()
    await page.getByText('Or green').waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test("a comment of one's own is edited and removed", async () => {
    const { card, page } = await open({ title: 'Commented' })
    const comments = async () => (await here().world.ok('get_card', { card_id: card.id })).comments
    const other = await here().world.agent({ name: 'Somebody' })
    await scene.admit(other)
    await here().world.ok('create_comment', { card_id: card.id, content: 'Not mine' }, { as: other })
    await page.getByText('Not mine').waitFor()
    await page.getByLabel('Write a comment').fill('Mien')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByRole('button', { name: 'Edit: Comment 2' }).click()
    expect(await page.getByRole('button', { name: 'Edit: Comment 1' }).count()).toBe(0)
    await page.getByRole('textbox', { name: 'Comment 2' }).fill('Mine')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Mine', { exact: true }).waitFor()
    await expect.poll(comments).toMatchObject([{ content: 'Not mine' }, { content: 'Mine' }])
    await page.getByRole('button', { name: 'Remove comment 2' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Mine', { exact: true }).waitFor({ state: 'detached' })
    // The owner of the board may delete those of others.
    await page.getByRole('button', { name: 'Remove comment 1' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(comments).toEqual([])
  })

  test('knowledge is edited; a change of somebody else is shown beside it', async () => {
    const { card, page } = await open({ title: 'Known' })
    const card_id = card.id
    const input = { card_id, title: 'Prices', content: 'They are gross.' }
    const { id: kb_id } = await here().world.ok('create_card_knowledge', input)
    const knowledge = async () => (await here().world.ok('get_card', { card_id })).knowledge_bases
    await page.getByText('Prices', { exact: true }).click()
    await page.getByRole('button', { name: 'Edit the knowledge Prices' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the knowledge Prices' })
    await dialog.getByLabel('What is known').fill('They are net.')
    expect(await seriousFindings(page)).toEqual([])
    await here().world.ok('update_card_knowledge', { card_id, kb_id, content: 'They are unknown.' })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByText('They are unknown.').waitFor()
    expect(await knowledge()).toMatchObject([{ content: 'They are unknown.' }])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await knowledge()).toMatchObject([{ title: 'Prices', content: 'They are net.' }])
    await page.getByText('They are net.').waitFor()
  })

  test('knowledge is added and removed', async () => {
    const { card, page } = await open({ title: 'Helped' })
    const knowledge = async () => (await here().world.ok('get_card', { card_id: card.id })).knowledge_bases
    await page.getByRole('button', { name: 'Add knowledge' }).click()
    await page.getByRole('dialog').getByLabel('Title').fill('Prices')
    await page.getByRole('dialog').getByLabel('What is known').fill('They are net.')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('Prices', { exact: true }).click()
    await page.getByText('They are net.').waitFor()
    expect(await knowledge()).toMatchObject([{ title: 'Prices' }])
    await page.getByRole('button', { name: 'Remove the knowledge Prices' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await expect.poll(knowledge).toEqual([])
  })

  test('a file is attached and removed, the card deleted; each is asked before', async () => {
    const { card, page } = await open({ title: 'Short-lived' })
    await page.getByLabel('Attach a file').setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('Some notes'),
    })
    const file = page.getByRole('button', { name: /^notes\.txt/ })
    await file.waitFor()
    const [download] = await Promise.all([page.waitForEvent('download'), file.click()])
    expect(download.suggestedFilename()).toBe('notes.txt')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove the file notes.txt' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await file.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page
      .getByRole('dialog', { name: `Delete ${card.ref}?` })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.waitForURL('**/board')
    await page.locator('[data-column="done"]').waitFor()
    await expect.poll(() => page.getByText('Short-lived').count()).toBe(0)
  })

  test('a text is edited in place', async () => {
    const { card, page } = await open({ title: 'Edited', description: 'Before' })
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('After')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('After', { exact: true }).waitFor()
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: card.id })).description).toBe('After')
  })

  test('an edit that meets the edit of somebody else loses neither', async () => {
    const { card, page } = await open({ title: 'Contested', description: 'Before' })
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('Mine')
    await here().world.ok('update_card', { card_id: card.id, description: 'Theirs' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Somebody else changed this in the meantime').waitFor()
    await page.getByText('Theirs', { exact: true }).first().waitFor()
    expect((await here().world.ok('get_card', { card_id: card.id })).description).toBe('Theirs')
    await page.getByRole('textbox', { name: 'What you wrote' }).fill('Theirs and mine')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Theirs and mine').waitFor()
  })

  test('a change of another field does not stand in the way', async () => {
    const { card, page } = await open({ title: 'Shared', description: 'Before' })
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('Mine')
    await here().world.ok('update_card', { card_id: card.id, priority: 'high' })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Mine', { exact: true }).waitFor()
  })

  test('labels, dates and the assignee are changed, and Undo takes it back', async () => {
    const { card, page } = await open({ title: 'Described', labels: ['old'] })
    const now = () => here().world.ok('get_card', { card_id: card.id })
    await page.getByLabel('Add a label').fill('new')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove new' }).waitFor()
    await page.getByRole('button', { name: 'Remove old' }).click()
    await page.getByRole('button', { name: 'Remove old' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Add due date' }).click()
    await page.getByRole('textbox', { name: 'Due' }).fill('2030-02-03')
    await page.keyboard.press('Enter')
    await page.getByLabel('Assignee').selectOption({ label: 'Local Owner' })
    await expect.poll(now).toMatchObject({ labels: ['new'], due_date: '2030-02-03T00:00:00.000Z' })
    await expect.poll(async () => (await now()).assignee_id).toBe(here().world.owner.id)
    await page.locator('.toast', { hasText: 'Assignee' }).getByRole('button', { name: 'Undo' }).click()
    await expect.poll(async () => (await now()).assignee_id).toBeNull()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('the files of a card are named, with who else works on them, and taken off again', async () => {
    const { world } = here()
    const ada = await world.agent({ name: 'Ada', board_ids: [scene.boardId] })
    const other = await scene.workableCard({ title: 'Held by Ada', paths: ['src/cart/**'] })
    await world.ok('claim_card', { card_id: other }, { as: ada })
    const { ref } = await world.ok('get_card', { card_id: other })
    const { card, page } = await open({ title: 'Which files' })
    await page.getByRole('button', { name: 'files to change' }).click()
    const field = page.getByLabel('Add files, such as src/**/*.ts')
    await field.fill('src/cart/*.ts')
    const overlaps = page.getByRole('list', { name: 'Works on the same files' })
    await overlaps.getByRole('link', { name: ref }).waitFor()
    await overlaps.getByText('Ada').waitFor()
    // An invalid pattern is reported once it is sent, in the words of the service.
    await field.fill('../elsewhere')
    await field.press('Enter')
    await page.getByRole('alert').getByText('..').waitFor()
    await field.fill('src/cart/*.ts')
    await field.press('Enter')
    await page.getByRole('button', { name: 'Remove src/cart/*.ts' }).waitFor()
    await overlaps.getByRole('link', { name: ref }).waitFor()
    expect(await world.ok('get_card', { card_id: card.id })).toMatchObject({ paths: ['src/cart/*.ts'] })
    expect(await seriousFindings(page)).toEqual([])
    // The stream reports that nobody works there any more.
    await world.ok('release_claim', { card_id: other }, { as: ada })
    await overlaps.waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove src/cart/*.ts' }).click()
    await page.getByRole('button', { name: 'Remove src/cart/*.ts' }).waitFor({ state: 'detached' })
    await expect.poll(async () => (await world.ok('get_card', { card_id: card.id })).paths).toEqual([])
  })

  test('where the board refuses overlaps, who may change it allows one', async () => {
    const { world } = here()
    const on = await Scene.on(world)
    const board_id = on.boardId
    await world.ok('update_board', { board_id, settings: { overlap: 'refuse' } })
    const ada = await world.agent({ name: 'Ada', board_ids: [board_id] })
    const [other, another] = [
      await on.workableCard({ title: 'Held by Ada', paths: ['src/cart/**'] }),
      await on.workableCard({ title: 'Held too', paths: ['lib'] }),
    ]
    for (const id of [other, another]) await world.ok('claim_card', { card_id: id }, { as: ada })
    const { ref } = await world.ok('get_card', { card_id: other })
    const card_id = await on.workableCard({ title: 'The same files', paths: ['src/cart/a.ts'] })
    const card = await world.ok('get_card', { card_id })
    const page = await here().open(`/b/${card.ref.split('-')[0]}/cards/${card.ref}`)
    await page.getByRole('button', { name: 'Claim', exact: true }).click()
    await page.getByRole('alert').getByRole('link', { name: ref, exact: true }).first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    const allow = page.getByRole('button', { name: 'Allow the overlap' })
    await allow.click()
    await page.getByRole('button', { name: 'Release' }).waitFor()
    await allow.waitFor({ state: 'detached' })
    // The same applies to changing the files of a card that is held.
    const field = page.getByLabel('Add files, such as src/**/*.ts')
    await field.fill('lib/b.ts')
    await field.press('Enter')
    await page.getByRole('alert').getByText('Ada').waitFor()
    await allow.click()
    await page.getByRole('button', { name: 'Remove lib/b.ts' }).waitFor()
    await allow.waitFor({ state: 'detached' })
    expect((await world.ok('get_card', { card_id })).paths).toEqual(['src/cart/a.ts', 'lib/b.ts'])
  })

  test('a card waits for another, and no longer', async () => {
    const other = await here().world.ok('get_card', { card_id: await scene.workableCard({ title: 'First this' }) })
    const { page } = await open({ title: 'Then that' })
    await page.getByRole('button', { name: 'Add a dependency' }).click()
    await page.getByLabel('Add a dependency').fill(other.ref)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: /First this/ }).waitFor()
    await page.keyboard.press('m')
    await page
      .getByText('1 move is closed')
      .or(page.getByText(/moves are closed/))
      .click()
    await page
      .getByRole('region', { name: 'Moves' })
      .getByRole('button', { name: /^Started/ })
      .click()
    await page.getByRole('dialog').getByRole('link', { name: 'Open the card' }).waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
    await page.getByRole('button', { name: `Remove the dependency on ${other.ref}` }).click()
    await page.getByRole('link', { name: /First this/ }).waitFor({ state: 'detached' })
  })

  test('the result of a scenario is recorded with its evidence', async () => {
    const spec_id = await scene.specWithScenarios()
    const id = await scene.testCard({ title: 'Tested', spec_id })
    const { ref } = await here().world.ok('get_card', { card_id: id })
    const page = await here().open(`/b/${ref.split('-')[0]}/cards/${ref}`)
    await page.getByRole('button', { name: 'Record result: Works' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Output of the run').fill('1 passed')
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Record result' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText('Passed', { exact: true }).waitFor()
    const { test_scenarios } = await here().world.ok('get_spec', { spec_id })
    expect(test_scenarios).toMatchObject([{ status: 'passed', latest_evidence: { output_snippet: '1 passed' } }])
  })

  test('a card is validated where it is time for it', async () => {
    const { card, page } = await open({ title: 'Judged' })
    const report = { completeness: 100, completeness_justification: 'All', drift: 0, drift_justification: 'None' }
    await here().world.ok('move_card', { card_id: card.id, target_status: 'started' })
    await here().world.ok('move_card', { card_id: card.id, target_status: 'validation', conclusion: 'Done', ...report })
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByLabel('What you looked at').fill('All of it')
    await page.getByRole('button', { name: 'Approve', exact: true }).click()
    await page.getByText('Approved').first().waitFor()
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: card.id })).status).toBe('done')
  })

  test('the palette does what can be done to the open card', async () => {
    const { card, page } = await open({ title: 'Commanded' })
    await page.keyboard.press('Control+k')
    await page.getByRole('group', { name: `${card.ref} Commanded` }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.type('move to started')
    await page.getByRole('option', { name: 'Move to Started' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: card.id })).status).toBe('started')
    await page.getByRole('button', { name: 'Started, Move to…' }).waitFor()
  })

  test('the palette and keys lead to its labels, its due date and what it waits for', async () => {
    const { card, page } = await open({ title: 'Led to' })
    const isFocused = (name: string) =>
      page.getByLabel(name, { exact: true }).evaluate(field => field.matches(':focus'))
    await page.keyboard.press('d')
    await expect.poll(() => isFocused('Due')).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('l')
    await expect.poll(() => isFocused('Add a label')).toBe(true)
    await page.keyboard.type('mail')
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: card.id })).labels).toEqual(['mail'])
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').getByRole('combobox').waitFor()
    await page.keyboard.type('dependency')
    await page.getByRole('option', { name: 'Add a dependency' }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => isFocused('Add a dependency')).toBe(true)
  })

  test('keys lead to the moves, the text and a comment', async () => {
    const { page } = await open({ title: 'Typed at' })
    await page.keyboard.press('m')
    await page.getByRole('button', { name: 'Cancelled' }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Cancelled' }).waitFor({ state: 'detached' })
    await page.keyboard.press('e')
    await page.getByRole('textbox', { name: 'What to do' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('c')
    await expect.poll(() => page.getByLabel('Write a comment').evaluate(field => field.matches(':focus'))).toBe(true)
  })

  test('in a drawer, [ and ] lead to the neighbours of the card', async () => {
    const { world } = here()
    const { id: board_id, key } = await world.ok('create_board', { name: 'Neighbours', description: '' })
    const spec_id = (await world.ok('create_spec', { board_id, title: 'Street', status: 'in_progress' })).id
    for (const title of ['Left', 'Right']) await world.ok('create_card', { board_id, spec_id, title })
    const cards = await world.ok('list_cards', { board_id })
    const page = await here().open(`/b/${key}/board?card=${cards[0].ref}`)
    const drawer = page.getByRole('dialog')
    await drawer.getByRole('heading', { name: cards[0].title }).waitFor()
    await page.keyboard.press(']')
    await drawer.getByRole('heading', { name: cards[1].title }).waitFor()
    await page.keyboard.press('[')
    await drawer.getByRole('heading', { name: cards[0].title }).waitFor()
    expect(page.url()).toContain(`card=${cards[0].ref}`)
  })

  test('a reference alone leads to it', async () => {
    const { card } = await open({ title: 'Referred to' })
    const page = await here().open(`/b/${card.ref.split('-')[0]}/r/${card.ref}`)
    await page.getByRole('heading', { name: 'Referred to' }).waitFor()
    expect(page.url()).toContain(`/cards/${card.ref}`)
  })
})
