import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('the inbox', () => {
  const here = browsing()

  /** Closes the toast that offers to take an answer back, and waits until the answer is sent. */
  async function sendAtOnce(page: Page): Promise<void> {
    const sent = page.waitForResponse(response => response.request().headers()['idempotency-key'] !== undefined)
    await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click()
    await sent
  }

  test('a first visit leads to the first board', async () => {
    const page = await here().open('/')
    await page.getByRole('heading', { name: 'Create your first board' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('Name').fill('First board')
    await page.getByRole('button', { name: 'Create board' }).click()
    await page.getByText('This board has no cards yet.').waitFor()
  })

  test('a question appears by itself and is answered in place', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const asker = await world.agent()
    await scene.admit(asker)
    const page = await here().open('/')
    const card_id = await scene.card({ title: 'Asked about' })
    const asked = await world.ok('ask_card_question', { card_id, question: 'May I?' }, { as: asker })
    await page.getByRole('article').getByText('May I?').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('Your answer').fill('You may')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByRole('article').getByText('May I?').waitFor({ state: 'detached' })
    await sendAtOnce(page)
    const { qa_items } = await world.ok('get_card', { card_id })
    expect(qa_items).toMatchObject([{ id: asked.id, answer: 'You may' }])
  })

  test('a message leads to its question alone, which has the focus and is answered there', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const asker = await world.agent()
    await scene.admit(asker)
    const card_id = await scene.card({ title: 'Asked by message' })
    const asked = await world.ok('ask_card_question', { card_id, question: 'Shall I?' }, { as: asker })
    const page = await here().open(`/i/${encodeURIComponent(`question:${asked.id}`)}`)
    await page.getByText('Shall I?').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.waitForFunction("document.activeElement?.tagName === 'TEXTAREA'")
    await page.keyboard.type('Do')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('Nothing is left to do here.').waitFor()
    const { qa_items } = await world.ok('get_card', { card_id })
    expect(qa_items).toMatchObject([{ id: asked.id, answer: 'Do' }])
  })

  test('a message of a mention leads to the words, with a comment in focus (people 5.5)', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const asker = await world.agent()
    await scene.admit(asker)
    const card_id = await scene.card({ title: 'Mentioned by message' })
    await world.ok('create_comment', { card_id, content: 'What says @local-owner to it?' }, { as: asker })
    const { items } = await world.ok('list_my_inbox', { board_id: scene.boardId, kind: 'mention' })
    const page = await here().open(`/i/${encodeURIComponent(items[0].id)}`)
    await page.getByText('What says @local-owner to it?').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.waitForFunction("document.activeElement?.tagName === 'TEXTAREA'")
    await page.keyboard.type('Fine by me')
    await page.getByRole('button', { name: 'Comment', exact: true }).click()
    await page.getByText('Nothing is left to do here.').waitFor()
    const { comments } = await world.ok('get_card', { card_id })
    expect(comments.map(({ content }: { content: string }) => content)).toContain('Fine by me')
  })

  test('shows the cards that the person holds, with what they ask next (crew 5.2)', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const card_id = await scene.smallChange({ title: 'In my own hands' })
    await world.ok('claim_card', { card_id, start: true })
    const page = await here().open('/')
    const held = page.getByRole('region', { name: /You hold/ })
    await held.getByText('In my own hands').waitFor()
    expect(await held.textContent()).toContain('move_card done')
    expect(await seriousFindings(page)).toEqual([])
    await world.ok('release_claim', { card_id })
  })

  test('a choice is made in place', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const asker = await world.agent()
    await scene.admit(asker)
    const card_id = await scene.card({ title: 'To be chosen' })
    const choices = [
      { id: 'a', label: 'Left' },
      { id: 'b', label: 'Right' },
    ]
    const put = { card_id, content: 'Which way?', comment_type: 'choice', choices }
    await world.ok('create_comment', put, { as: asker })
    const page = await here().open('/')
    await page.getByRole('button', { name: /Which way/ }).click()
    await page.getByLabel('Right').check()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('button', { name: /Which way/ }).waitFor({ state: 'detached' })
    await sendAtOnce(page)
    const { comments } = await world.ok('get_card', { card_id })
    expect(comments[0].responses).toMatchObject([{ selected: ['b'] }])
  })

  test('a spec is validated in place', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    await world.ok('update_board', { board_id: scene.boardId, settings: { require_spec_validation: true } })
    const spec_id = await scene.spec('approved', { title: 'To be validated' })
    const page = await here().open('/')
    await page.getByRole('button', { name: /To be validated/ }).click()
    const entry = page.getByRole('article').filter({ hasText: 'To be validated' })
    await entry.getByRole('link', { name: 'Read it first' }).waitFor()
    await entry.getByRole('button', { name: 'Validate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Validate the spec' })
    await dialog.getByLabel('The verdict in words').waitFor()
    for (const why of await dialog.getByLabel(/^Why: /).all()) await why.fill('Read it word by word')
    await dialog.getByLabel('The verdict in words').fill('It says what is to be done, and how it is seen')
    await dialog.getByRole('button', { name: 'Approve' }).click()
    // What waits then is the evaluation of its plan.
    await page.getByRole('button', { name: /To be validated/ }).click()
    await entry.getByRole('button', { name: 'Evaluate' }).waitFor()
    await entry.getByRole('button', { name: 'Validate' }).waitFor({ state: 'detached' })
    expect(await world.ok('get_spec', { spec_id })).toMatchObject({ status: 'validated' })
  })

  test('j and k lead through what waits, e to its answer, o to its record', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const asker = await world.agent()
    await scene.admit(asker)
    const card_id = await scene.card({ title: 'Asked twice' })
    for (const question of ['First?', 'Second?'])
      await world.ok('ask_card_question', { card_id, question }, { as: asker })
    const page = await here().open('/')
    const rows = page.locator('.inbox-row', { hasText: 'Asked twice' }).filter({ hasText: '?' })
    await expect.poll(() => rows.count()).toBe(2)
    const isOpen = (place: number) => expect.poll(() => rows.nth(place).getAttribute('aria-current')).toBe('true')
    await rows.first().click()
    await page.keyboard.press('j')
    await isOpen(1)
    await page.keyboard.press('k')
    await isOpen(0)
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('e')
    await page.keyboard.type('Once')
    await page.keyboard.press('Control+Enter')
    // What was settled gives way to the next one, which has the focus.
    await expect.poll(() => rows.count()).toBe(1)
    await isOpen(0)
    await expect.poll(() => rows.first().evaluate(row => row.matches(':focus'))).toBe(true)
    await page.keyboard.press('o')
    await page.getByRole('heading', { level: 1, name: 'Asked twice' }).waitFor()
  })

  test('the palette finds a record and leads to it; the sheet of keys opens', async () => {
    const scene = await Scene.on(here().world)
    await scene.card({ title: 'Findable needle' })
    const page = await here().open('/')
    await page.getByRole('navigation').first().waitFor()
    await page.keyboard.press('Control+k')
    await page.keyboard.type('needle')
    await page.getByRole('option', { name: 'Findable needle' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Findable needle' }).waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('is grouped by who asks, too, which stays chosen', async () => {
    const scene = await Scene.on(here().world)
    const asker = await here().world.agent({ name: 'Asks a lot' })
    await scene.admit(asker)
    await here().world.ok('ask_card_question', { card_id: await scene.card(), question: 'By whom?' }, { as: asker })
    const page = await here().open('/')
    await page.getByRole('button', { name: 'By agent' }).click()
    const group = page.getByRole('region', { name: /^Asks a lot/ })
    await group.getByText('By whom?').waitFor()
    await page.reload()
    await group.getByText('By whom?').waitFor()
    await page.getByRole('button', { name: 'By kind' }).click()
  })
})
