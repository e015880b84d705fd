import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { choose } from './support/filters.ts'

describeInBrowser('administration', () => {
  const here = browsing()

  test('an agent is made; its key is shown once, with what its client is told, and works', async () => {
    const page = await here().open('/admin')
    await page.getByRole('button', { name: 'New agent' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Name').fill('Codex on the laptop')
    await dialog.getByLabel('Preset').selectOption({ label: 'Executor' })
    await dialog.getByLabel('Name').press('Control+Enter')
    const keyDialog = page.getByRole('dialog', { name: 'The key of Codex on the laptop' })
    const key = (await keyDialog.getByLabel('Key', { exact: true }).textContent())!
    await keyDialog.getByLabel('Configuration', { exact: true }).getByText('/mcp').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await keyDialog.getByRole('button', { name: 'I have copied it' }).click()
    await page
      .getByRole('row', { name: /Codex on the laptop/ })
      .getByText('Executor')
      .waitFor()
    const { status } = await fetch(`${here().url}/api/v1/me/permissions`, { headers: { 'x-api-key': key } })
    expect(status).toBe(200)
  })

  test('the audit log tells who did what, and is filtered by it', async () => {
    await here().world.agent({ name: 'Watched' })
    const page = await here().open('/admin/audit')
    const row = page.getByRole('row', { name: /^Agent created Watched/ })
    await row.getByText('API').waitFor()
    await choose(page, 'What', 'Preset created')
    await page.getByText('No entry matches the filters').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click()
    await row.waitFor()
    await choose(page, 'What', 'Agent created')
    await row.waitFor()
    expect(new URL(page.url()).searchParams.get('action')).toBe('agent_created')
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a key is replaced, an agent deactivated and deleted', async () => {
    const agent = await here().world.agent({ name: 'Short lived' })
    const page = await here().open('/admin')
    const actions = page.getByRole('button', { name: 'Actions for Short lived' })
    await actions.click()
    await page.getByRole('menuitem', { name: 'Create a new key' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Create a new key' }).click()
    await page
      .getByRole('dialog', { name: 'The key of Short lived' })
      .getByRole('button', { name: 'I have copied it' })
      .click()
    const old = await fetch(`${here().url}/api/v1/me/permissions`, { headers: { 'x-api-key': agent.key } })
    expect(old.status).toBe(401)
    await actions.click()
    await page.getByRole('menuitem', { name: 'Deactivate' }).click()
    await page
      .getByRole('row', { name: /Short lived/ })
      .getByText('Inactive')
      .waitFor()
    await actions.click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('row', { name: /Short lived/ }).waitFor({ state: 'detached' })
  })

  test('an agent is edited: its texts, its preset, and what it may do apart from that', async () => {
    const { world } = here()
    const { id: agent_id } = await world.agent({ name: 'Beginner' })
    const agent = () => world.ok('get_agent', { agent_id })
    const executor = (await world.ok('list_presets')).find(({ name }: { name: string }) => name === 'Executor')
    const page = await here().open('/admin')
    const edit = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Edit' }).click()
      return page.getByRole('dialog', { name: 'Edit the agent' })
    }
    const dialog = await edit('Beginner')
    await dialog.getByLabel('Name').fill('Journeyman')
    await dialog.getByLabel('Objective').fill('Finish what is begun')
    await dialog.getByLabel('Preset', { exact: true }).selectOption({ label: 'Executor' })
    await dialog.getByLabel('Find a permission').fill('CARDS_MOVE')
    await dialog.getByRole('checkbox', { name: / CARDS_MOVE_CANCELLED$/ }).uncheck()
    await dialog.getByText('Removed', { exact: true }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page
      .getByRole('row', { name: /Journeyman/ })
      .getByText('Executor, customized')
      .waitFor()
    expect(await agent()).toMatchObject({
      name: 'Journeyman',
      objective: 'Finish what is begun',
      preset_id: executor.id,
      permission_flags: { CARDS_MOVE_CANCELLED: false },
    })
    const again = await edit('Journeyman')
    await again.getByLabel('Purpose').fill('The cards of the shop')
    await again.getByRole('button', { name: 'Save', exact: true }).click()
    await again.waitFor({ state: 'detached' })
    expect(await agent()).toMatchObject({
      description: 'The cards of the shop',
      permission_flags: { CARDS_MOVE_CANCELLED: false },
    })
    const own = await edit('Local Owner')
    await own.getByText('Only an agent that manages you can change your own permissions.').waitFor()
    expect(await own.getByLabel('Preset', { exact: true }).count()).toBe(0)
    await own.getByLabel('Objective').fill('See to it')
    await own.getByRole('button', { name: 'Save', exact: true }).click()
    await own.waitFor({ state: 'detached' })
    const careful = await world.agent({
      name: 'Careful',
      permission_flags: { AGENTS_UPDATE: false, AGENTS_UPDATE_SELF: false },
    })
    const theirs = await here().open('/admin', {}, careful)
    await theirs.getByRole('button', { name: 'Actions for Careful' }).click()
    const closed = theirs.getByRole('menuitem', { name: 'Edit' })
    await closed.getByText(/\(AGENTS_UPDATE_SELF\)\. Presets that allow it: /).waitFor()
    await closed.click({ force: true })
    expect(await theirs.getByRole('dialog').count()).toBe(0)
  })

  test('presets are compared', async () => {
    const page = await here().open('/admin/presets')
    await page.getByLabel('Preset', { exact: true }).selectOption({ label: 'Executor' })
    await page.getByLabel('Compare with').selectOption({ label: 'Full Control' })
    await page.getByLabel('Find a permission').fill('CARDS_DELETE')
    await page.getByText('The other allows it').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('a preset is made from another, changed and deleted', async () => {
    const { world } = here()
    const presets = () => world.ok('list_presets')
    const savedPreset = async () => (await presets()).find(({ name }: { name: string }) => name === 'Careful executor')
    const page = await here().open('/admin/presets')
    const preset = page.getByLabel('Preset', { exact: true })
    const box = (name: string) => page.getByRole('checkbox', { name: new RegExp(` ${name}$`) })
    await preset.selectOption({ label: 'Executor' })
    expect(await page.getByRole('button', { name: 'Edit preset' }).count()).toBe(0)
    await page.getByRole('button', { name: 'New preset' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Careful executor')
    await page.getByLabel('Compare with').selectOption({ label: 'Executor' })
    await page.getByLabel('Find a permission').fill('CARDS_MOVE')
    await box('CARDS_MOVE_CANCELLED').uncheck()
    await page.getByText('The other allows it').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Create preset' }).click()
    await expect.poll(savedPreset).toMatchObject({ flags: { CARDS_MOVE_CANCELLED: false, CARDS_MOVE_STARTED: true } })
    await page.getByRole('button', { name: 'Edit preset' }).click()
    await page.getByLabel('Name', { exact: true }).waitFor()
    await page.getByLabel('Find a permission').fill('CARDS_MOVE')
    // Changing a group changes everything below it.
    await box('CARDS_MOVE').uncheck()
    expect(await box('CARDS_MOVE_STARTED').isChecked()).toBe(false)
    await box('CARDS_MOVE_ON_HOLD').check()
    expect(await box('CARDS_MOVE').isChecked()).toBe(true)
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const flags = { CARDS_MOVE: true, CARDS_MOVE_STARTED: false, CARDS_MOVE_ON_HOLD: true, CARDS_READ: true }
    await expect.poll(savedPreset).toMatchObject({ flags })
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page
      .getByRole('dialog', { name: 'Delete the preset Careful executor?' })
      .getByRole('button', { name: 'Delete' })
      .click()
    await expect.poll(savedPreset).toBeUndefined()
    await preset.locator('option', { hasText: 'Careful executor' }).waitFor({ state: 'detached' })
  })

  test('of an agent is said which layer denies a permission on a board', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const agent = await world.agent({ name: 'Restricted' })
    const permission_overrides = { CARDS_DELETE: false }
    await world.ok('grant_board_access', { agent_id: agent.id, board_id: scene.boardId, permission_overrides })
    const { key, name } = await world.ok('get_board', { board_id: scene.boardId })
    const page = await here().open('/admin/rights')
    await page.getByLabel('Agent').selectOption({ label: 'Restricted' })
    await page.getByLabel('Board', { exact: true }).selectOption({ label: `${key} ${name}` })
    await page.getByLabel('Find a permission').fill('CARDS_DELETE')
    await page.getByText('taken away on this board').waitFor()
  })

  test('a setting of the service is changed', async () => {
    const page = await here().open('/admin/settings')
    await page.getByLabel('Knowledge queue: attempts').fill('7')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText('Saved').waitFor()
    expect((await here().world.ok('get_runtime_settings')).kg_queue_max_attempts).toBe(7)
  })
})
