import type { Locator, Page } from 'playwright-core'
import { beforeAll, beforeEach, expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import type { TestAgent } from '../../cli/test/support/world.ts'
import { seriousFindings } from './support/axe.ts'
import { column, tile } from './support/board.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('what somebody may not do', () => {
  const here = browsing()
  let scene: Scene
  let key: string
  let viewer: TestAgent
  let share_id: string
  /** The calls that a page made other than reads. */
  let writes: string[]

  beforeAll(async () => {
    const { world } = here()
    scene = await Scene.on(world)
    key = await scene.boardKey()
    viewer = await world.agent({ name: 'Onlooker' })
    const shared = { board_id: scene.boardId, user_id: viewer.id, permission: 'viewer' }
    share_id = (await world.ok('create_board_share', shared)).id
  })

  beforeEach(() => {
    writes = []
  })

  const open = async (path: string, as = viewer, looks = {}) => {
    const page = await here().open(path, looks, as)
    page.on('request', request => {
      if (request.method() !== 'GET') writes.push(`${request.method()} ${request.url()}`)
    })
    return page
  }

  const reasonOf = (control: Locator) => control.getAttribute('aria-description')

  /** Looks at a closed control with the pointer, then presses it: it says why it is closed and does nothing. */
  async function pressClosed(page: Page, control: Locator, why: RegExp): Promise<void> {
    await expect.poll(() => control.getAttribute('aria-disabled')).toBe('true')
    // A page that is still loading may render the control again under a resting pointer.
    await expect
      .poll(
        async () => {
          await page.mouse.move(0, 0)
          await control.hover({ force: true })
          const tooltip = page.getByRole('tooltip').getByText(why).waitFor({ timeout: 2_000 })
          return tooltip.then(() => true).catch(() => false)
        },
        { timeout: 20_000 },
      )
      .toBe(true)
    await control.click({ force: true })
    await page.getByRole('alert').getByText(why).waitFor()
    expect(await reasonOf(control)).toMatch(why)
    expect(await page.getByRole('dialog').count()).toBe(0)
    await page.keyboard.press('Escape')
    await page.getByRole('alert').waitFor({ state: 'detached' })
  }

  const refusal = (permission: string) => new RegExp(`^You may not .*\\(${permission}\\)\\. Allowed for Local Owner$`)

  test.each(['light', 'dark'] as const)('a card shows a viewer who may act on it, %s', async colorScheme => {
    const { world } = here()
    const card_id = await scene.workableCard({ title: `Looked at, ${colorScheme}`, labels: ['shop'] })
    await scene.cardQuestion(card_id)
    await world.ok('create_comment', { card_id, content: 'Said before' })
    await world.ok('create_card_knowledge', { card_id, title: 'Prices', content: 'They are net.' })
    const { ref } = await world.ok('get_card', { card_id })
    const page = await open(`/b/${key}/cards/${ref}`, viewer, { colorScheme })
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true })
    await pressClosed(page, button('Edit: What to do'), refusal('CARDS_UPDATE'))
    await pressClosed(page, button('Delete'), refusal('CARDS_DELETE'))
    await pressClosed(page, button('Attach a file'), refusal('ATTACHMENTS_CREATE'))
    await pressClosed(page, button('Add knowledge'), refusal('KNOWLEDGE_CREATE_CARDS'))
    await pressClosed(page, button('Ask for a choice'), refusal('COMMENTS_CREATE_CHOICE'))
    await pressClosed(page, button('Claim'), refusal('CARDS_CLAIM'))
    await pressClosed(page, page.getByLabel('Priority', { exact: true }), refusal('CARDS_UPDATE'))
    await pressClosed(page, page.getByLabel('Assignee'), refusal('CARDS_ASSIGN'))
    await page.getByRole('button', { name: 'Add due date' }).click()
    await pressClosed(page, page.getByLabel('Due', { exact: true }), refusal('CARDS_UPDATE'))
    await pressClosed(page, button('Remove shop'), refusal('CARDS_LABEL'))
    await pressClosed(page, button('Add a dependency'), refusal('CARDS_LINK_DEPENDENCIES'))
    await pressClosed(page, page.getByLabel('Your answer'), refusal('QA_ANSWER_CARDS'))
    await pressClosed(page, button('Remove question 1'), refusal('QA_DELETE'))
    expect(await seriousFindings(page)).toEqual([])
    expect(writes).toEqual([])
  })

  test('the keyboard finds out why, and writes nothing', async () => {
    const card_id = await scene.workableCard({ title: 'Typed at' })
    const { ref } = await here().world.ok('get_card', { card_id })
    const page = await open(`/b/${key}/cards/${ref}`)
    const comment = page.getByLabel('Write a comment')
    await expect.poll(() => comment.getAttribute('aria-disabled')).toBe('true')
    await comment.focus()
    await page.getByRole('tooltip').getByText(refusal('COMMENTS_CREATE')).waitFor()
    await page.keyboard.type('Not mine to say')
    await page.getByRole('alert').getByText(refusal('COMMENTS_CREATE')).waitFor()
    expect(await comment.inputValue()).toBe('')
    const priority = page.getByLabel('Priority', { exact: true })
    const before = await priority.inputValue()
    await priority.focus()
    await page.keyboard.press('ArrowDown')
    expect(await priority.inputValue()).toBe(before)
    await page.keyboard.press('Tab')
    await expect.poll(() => page.getByRole('alert').count()).toBe(0)
    expect(writes).toEqual([])
  })

  test('the board takes no card and changes none', async () => {
    await scene.workableCard({ title: 'Selected by a viewer' })
    const page = await open(`/b/${key}/board?q=Selected`)
    await column(page, 'not_started').waitFor()
    await pressClosed(page, page.getByRole('button', { name: 'Add a card to Not started' }), refusal('CARDS_CREATE'))
    await tile(page, 'Selected by a viewer').hover()
    await tile(page, 'Selected by a viewer').getByRole('checkbox').check()
    await pressClosed(page, page.getByRole('button', { name: 'Assign…' }), refusal('CARDS_ASSIGN'))
    await pressClosed(page, page.getByLabel('Add label…'), refusal('CARDS_LABEL'))
    await page.keyboard.press('c')
    expect(await page.getByRole('form', { name: 'New card' }).count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    expect(writes).toEqual([])
  })

  test('a spec, its coverage and the lists are closed too', async () => {
    const spec_id = await scene.spec('draft', { title: 'Read only', acceptance_criteria: ['It stays'] })
    const { ref } = await here().world.ok('get_spec', { spec_id })
    const page = await open(`/b/${key}/specs/${ref}`)
    const button = (name: string) => page.getByRole('button', { name, exact: true })
    await pressClosed(page, button('Edit: Acceptance criteria 1'), refusal('SPECS_UPDATE'))
    await pressClosed(page, button('New sprint'), refusal('SPRINTS_CREATE'))
    await pressClosed(page, button('Archive'), refusal('BOARDS_ARCHIVE'))
    await pressClosed(page, button('Delete'), refusal('SPECS_DELETE'))
    await pressClosed(page, page.getByLabel('Assignee'), refusal('SPECS_ASSIGN'))
    expect(await seriousFindings(page)).toEqual([])
    await page.goto(`${here().url}/b/${key}/specs`)
    await pressClosed(page, button('New spec'), refusal('SPECS_CREATE'))
    expect(writes).toEqual([])
  })

  test('settings are shown, and who may change them', async () => {
    const page = await open(`/b/${key}/settings`)
    await pressClosed(page, page.getByRole('button', { name: 'Save', exact: true }), refusal('BOARDS_UPDATE'))
    await pressClosed(page, page.getByRole('button', { name: 'Delete board' }), refusal('BOARDS_DELETE'))
    await page.goto(`${here().url}/b/${key}/settings/people`)
    await pressClosed(page, page.getByLabel('Share of Onlooker'), refusal('BOARDS_SHARE'))
    await page.goto(`${here().url}/b/${key}/settings/guidelines`)
    await pressClosed(page, page.getByRole('button', { name: 'New guideline' }), refusal('GUIDELINES_LINK'))
    await page.goto(`${here().url}/b/${key}/settings/exchange`)
    await pressClosed(page, page.getByLabel('File'), refusal('BOARDS_IMPORT'))
    expect(writes).toEqual([])
  })

  test('a page that one may not read says so in a sentence', async () => {
    const page = await open(`/b/${key}/settings/webhooks`)
    await page.getByText('You may not read webhooks (WEBHOOKS_READ). Allowed for Local Owner.').waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
  })

  test('apart from boards the presets are named', async () => {
    const agent = await here().world.agent({ name: 'No maker', permission_flags: { AGENTS_CREATE: false } })
    const page = await open('/admin', agent)
    const why = /^You may not create agents \(AGENTS_CREATE\)\. Presets that allow it: Full Control$/
    await pressClosed(page, page.getByRole('button', { name: 'New agent' }), why)
    expect(writes).toEqual([])
  })

  test('an action opens as soon as one may take it', async () => {
    const card_id = await scene.workableCard({ title: 'Opened up' })
    const { ref } = await here().world.ok('get_card', { card_id })
    const page = await open(`/b/${key}/cards/${ref}`)
    const edit = page.getByRole('button', { name: 'Edit: What to do' })
    await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true')
    const share = { board_id: scene.boardId, share_id }
    await here().world.ok('update_board_share', { ...share, permission: 'editor' })
    await expect.poll(() => edit.getAttribute('aria-disabled')).toBeNull()
    await here().world.ok('update_board_share', { ...share, permission: 'viewer' })
    await expect.poll(() => edit.getAttribute('aria-disabled')).toBe('true')
    await here().world.ok('update_agent', { agent_id: viewer.id, permission_flags: { CARDS_DELETE: false } })
    const remove = page.getByRole('button', { name: 'Delete', exact: true })
    await expect.poll(() => remove.getAttribute('aria-disabled')).toBe('true')
  })
})
