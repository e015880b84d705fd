import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('the settings of a board', () => {
  const here = browsing()
  let scene: Scene
  let key: string

  beforeAll(async () => {
    scene = await Scene.on(here().world)
    key = await scene.boardKey()
  })

  const open = async (part = '', looks = {}) => {
    const page = await here().open(`/b/${key}/settings${part}`, looks)
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    return page
  }

  test('a rule is changed', async () => {
    const page = await open()
    await page.getByLabel('Nobody validates their own work.').click()
    await page.getByText('Saved').waitFor()
    const { settings } = await here().world.ok('get_board', { board_id: scene.boardId })
    expect(settings.require_separate_reviewer).toBe(true)
  })

  test('a stricter rule says how many cards in validation it would refuse', async () => {
    const { world } = here()
    const board = await Scene.on(world)
    await world.ok('update_board', { board_id: board.boardId, settings: { require_task_validation: false } })
    const card_id = await board.smallChange()
    await world.ok('move_card', { card_id, target_status: 'started' })
    const report = { conclusion: 'Done.', check: { how: 'by hand' } }
    await world.ok('move_card', { card_id, target_status: 'validation', ...report })
    const page = await here().open(`/b/${await board.boardKey()}/settings`)
    await page
      .getByText('Would refuse, of 1 card in validation: A run that Specboard watched: 1, CI: 1, A person: 1')
      .waitFor()
    expect(await page.getByText('Would refuse 1 of 1 card in validation').count()).toBe(3)
    expect(await page.getByText('In the last 7 days').count()).toBe(0)
    await world.ok('create_repository', { board_id: board.boardId, url: 'https://github.com/acme/shop' })
    await page.reload()
    await page.getByText('In the last 7 days it would have moved no card').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('A card is done only with green checks.').click()
    await page.getByText('Saved').waitFor()
    const { settings } = await world.ok('get_board', { board_id: board.boardId })
    expect(settings.require_green_checks).toBe(true)
  })

  test('what is done about work on the same files is chosen, and which files nobody minds', async () => {
    const page = await open()
    const settings = async () => (await here().world.ok('get_board', { board_id: scene.boardId })).settings
    await page.getByLabel('When two work on the same files').selectOption({ label: 'Refuse the second' })
    await page.getByText('Saved').waitFor()
    await expect.poll(async () => (await settings()).overlap).toBe('refuse')
    await page.getByLabel('Add files, such as docs/**').fill('docs/**')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove docs/**' }).waitFor()
    await page.getByRole('button', { name: 'Remove CHANGELOG.md' }).click()
    await page.getByRole('button', { name: 'Remove CHANGELOG.md' }).waitFor({ state: 'detached' })
    const { shared_paths } = await settings()
    expect(shared_paths).toContain('docs/**')
    expect(shared_paths).not.toContain('CHANGELOG.md')
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a column is given a limit, and the limit is taken away', async () => {
    const page = await open()
    const limits = async () => (await here().world.ok('get_board', { board_id: scene.boardId })).settings.column_limits
    const field = page.getByLabel('Limits of columns: In progress')
    await field.fill('3')
    await field.blur()
    await expect.poll(limits).toEqual({ in_progress: 3 })
    await page.getByLabel('Limits of columns: Validation').fill('2')
    await page.getByLabel('Limits of columns: Validation').blur()
    await expect.poll(limits).toEqual({ in_progress: 3, validation: 2 })
    await page.getByLabel('What happens above a limit').selectOption('refuse')
    const rule = async () =>
      (await here().world.ok('get_board', { board_id: scene.boardId })).settings.over_column_limit
    await expect.poll(rule).toBe('refuse')
    expect(await seriousFindings(page)).toEqual([])
    await field.fill('')
    await field.blur()
    await expect.poll(limits).toEqual({ validation: 2 })
  })

  test('a card and a spec are saved as templates, used, renamed and deleted', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const key = await scene.boardKey()
    const card_id = await scene.card({ title: 'Chore: ', priority: 'low', labels: ['chore'], details: 'Why?' })
    const { ref } = await world.ok('get_card', { card_id })
    const page = await here().open(`/b/${key}/cards/${ref}`)
    await page.getByRole('button', { name: 'Save as a template' }).click()
    await page.getByLabel('Name').fill('Chore')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved as the template Chore').waitFor()
    await page.goto(`${here().url}/b/${key}/board`)
    await page.getByRole('button', { name: 'New card' }).click()
    await page.getByLabel('Template').selectOption({ label: 'Chore' })
    await page.getByText('Fills in: title, type, priority, details, and labels').waitFor()
    expect(await page.getByRole('textbox', { name: 'Title' }).inputValue()).toBe('Chore: ')
    await page.getByRole('textbox', { name: 'Title' }).fill('Chore: sweep')
    await page.getByRole('button', { name: 'Create card', exact: true }).click()
    await page.getByText('Chore: sweep').waitFor()
    const [card] = await world.ok('list_cards', { board_id: scene.boardId, q: 'sweep' })
    expect(card).toMatchObject({ priority: 'low', labels: ['chore'], card_type: 'normal' })
    const spec_id = await scene.spec('draft', { title: 'Report', functional_requirements: ['It adds up.'] })
    const spec = await world.ok('get_spec', { spec_id })
    await page.goto(`${here().url}/b/${key}/specs/${spec.ref}`)
    await page.getByRole('button', { name: 'Save as a template' }).click()
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved as the template Report').waitFor()
    await page.goto(`${here().url}/b/${key}/specs`)
    await page.getByRole('button', { name: /^New spec/ }).click()
    await page.getByLabel('Template').selectOption({ label: 'Report' })
    await page.getByRole('textbox', { name: 'Title' }).fill('Report of May')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.getByText('It adds up.').waitFor()
    await page.goto(`${here().url}/b/${key}/settings/templates`)
    await page.getByRole('button', { name: 'Rename Chore' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill('Small')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('button', { name: 'Rename Small' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Delete the template Small' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('button', { name: 'Rename Small' }).waitFor({ state: 'detached' })
  })

  test('a guideline is written, changed and deleted', async () => {
    const page = await open('/guidelines')
    await page.getByRole('button', { name: 'New guideline' }).click()
    await page.getByLabel('Title').fill('Tests first')
    await page.getByRole('textbox', { name: 'Guideline' }).fill('Before the code.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Before the code.').waitFor()
    await page.getByRole('button', { name: 'Edit: Tests first' }).click()
    await page.getByRole('textbox', { name: 'Guideline' }).fill('Long before the code.')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Long before the code.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Remove: Tests first' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No guidelines yet').waitFor()
  })

  test('rules that go together are set at once, after one has seen what changes', async () => {
    const page = await open('')
    await page.getByRole('button', { name: /^Strict: \d+ rules change$/ }).click()
    const dialog = page.getByRole('dialog', { name: 'Strict' })
    await dialog.getByText('A spec needs a passed validation before work starts.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Set these rules' }).click()
    await page.getByText('In use', { exact: true }).waitFor()
    const { settings } = await here().world.ok('get_board', { board_id: scene.boardId })
    expect(settings).toMatchObject({ require_separate_reviewer: true, min_evidence_tier: 'observed', max_drift: 50 })
  })

  test('an agent is let onto the board, and its access taken back', async () => {
    await here().world.agent({ name: 'Guest' })
    const page = await open('/people')
    await page.getByLabel('Agent', { exact: true }).selectOption({ label: 'Guest' })
    await page.getByLabel('As', { exact: true }).selectOption({ label: 'Editor' })
    await page.getByRole('button', { name: 'Grant access' }).click()
    await page.getByLabel('Share of Guest').selectOption({ label: 'Viewer' })
    await page.getByRole('button', { name: 'Revoke the access of Guest' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke', exact: true }).click()
    await page.getByLabel('Share of Guest').waitFor({ state: 'detached' })
  })

  test('an import is shown as a report before anything is written', async () => {
    const page = await open('/exchange')
    const lines = 'title,status\nFrom elsewhere,To Do\nDone elsewhere,Done\n'
    await page.getByLabel('File').setInputFiles({ name: 'x.csv', mimeType: 'text/csv', buffer: Buffer.from(lines) })
    await page.getByText('Nothing has been written yet').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    expect((await here().world.ok('list_cards', { board_id: scene.boardId })).length).toBe(0)
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('Imported.', { exact: true }).waitFor()
    const cards = await here().world.ok('list_cards', { board_id: scene.boardId })
    expect(cards.map(({ title }: { title: string }) => title).toSorted()).toEqual(['Done elsewhere', 'From elsewhere'])
  })

  test('a dropped file of no known format says so and writes nothing', async () => {
    const page = await open('/exchange')
    const field = page.locator('.file-field')
    const dataTransfer = await page.evaluateHandle(`(() => {
      const dropped = new DataTransfer()
      dropped.items.add(new File(['\\0\\0'], 'x.bin'))
      return dropped
    })()`)
    await field.dispatchEvent('drop', { dataTransfer })
    await field.getByText('x.bin').waitFor()
    await page.getByRole('alert').waitFor()
  })

  test('the board leaves as an archive', async () => {
    const page = await open('/exchange')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the archive' }).click(),
    ])
    const bytes = await readFile(await download.path())
    expect(download.suggestedFilename()).toMatch(/\.specboard\.zip$/)
    expect(bytes.subarray(0, 2).toString()).toBe('PK')
  })

  test('a webhook is edited; what somebody else made of it meanwhile is shown first', async () => {
    const { world } = here()
    const url = 'https://hooks.example.com/old'
    const { id: webhook_id } = await world.ok('create_webhook', { board_id: scene.boardId, url, description: 'Chat' })
    const page = await open('/webhooks')
    await page.getByRole('button', { name: `Actions for ${url}` }).click()
    await page.getByRole('menuitem', { name: 'Edit' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit the webhook' })
    await dialog.getByLabel('URL').fill('https://hooks.example.com/new')
    await dialog.getByLabel('Events').fill('card_*, spec_moved')
    await dialog.getByLabel('Format').selectOption({ label: 'Slack message' })
    expect(await seriousFindings(page)).toEqual([])
    await world.ok('update_webhook', { webhook_id, description: 'Chat of the team' })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.getByRole('alert').getByText('Chat of the team').waitFor()
    await dialog.getByLabel('Purpose').fill('Chat of everybody')
    await dialog.getByLabel('Events').fill('not an event')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog
      .getByRole('alert')
      .getByText(/is neither an event action/)
      .waitFor()
    await dialog.getByLabel('Events').fill('card_*, spec_moved')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('heading', { name: 'Chat of everybody' }).waitFor()
    expect(await world.ok('get_webhook', { webhook_id })).toMatchObject({
      url: 'https://hooks.example.com/new',
      description: 'Chat of everybody',
      events: ['card_*', 'spec_moved'],
      format: 'slack',
    })
    await world.ok('delete_webhook', { webhook_id })
  })

  test('a webhook is made, its secret shown once, and switched off', async () => {
    const page = await open('/webhooks')
    await page.getByRole('button', { name: 'New webhook' }).click()
    await page.getByLabel('URL').fill('https://hooks.example.com/specboard')
    await page.getByRole('button', { name: 'Create webhook' }).click()
    await page.getByLabel('Secret', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'I have copied it' }).click()
    await page.getByText('Deliveries').click()
    await page.getByText('Nothing has been sent yet.').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: /^Actions for/ }).click()
    await page.getByRole('menuitem', { name: 'Switch off' }).click()
    await page.getByText('Off', { exact: true }).waitFor()
  })
})
