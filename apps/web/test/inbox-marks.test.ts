import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('what is snoozed and unread in the inbox (board 1.1)', () => {
  const here = browsing()

  /** A card of its own board with questions, which nobody has read. */
  async function ask(title: string, ...questions: readonly string[]): Promise<string> {
    const { world } = here()
    const scene = await Scene.on(world)
    const asker = await world.agent()
    await scene.admit(asker)
    const card_id = await scene.card({ title })
    for (const question of questions) await world.ok('ask_card_question', { card_id, question }, { as: asker })
    return card_id
  }

  const rowOf = (page: Page, question: string) => page.locator('.inbox-row', { hasText: question })
  const waitFor = (page: Page, question: string, state: 'attached' | 'detached') =>
    rowOf(page, question).waitFor({ state })
  const isUnread = (page: Page, question: string) =>
    expect.poll(() => rowOf(page, question).getAttribute('class')).toContain('unread')
  const isRead = (page: Page, question: string) =>
    expect.poll(() => rowOf(page, question).getAttribute('class')).not.toContain('unread')

  /** The item that the service returns for a question. */
  const itemOf = async (question: string) => {
    const { items } = await here().world.ok('list_my_inbox', {
      kind: 'question',
      snoozed: 'with',
      marks: true,
      limit: 200,
    })
    return items.find(({ data }: { data: { question: string } }) => data.question === question)
  }

  test('h puts an item away, the next one has the focus; it is shown, and taken back', async () => {
    await ask('Put away', 'Now or then?', 'And the other?')
    const page = await here().open('/')
    await rowOf(page, 'Now or then?').click()
    await page.keyboard.press('h')
    const menu = page.getByRole('menu', { name: 'Snooze' })
    await menu.getByRole('menuitem', { name: /^Tomorrow/ }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await menu.getByRole('menuitem', { name: /^Tomorrow/ }).click()
    await waitFor(page, 'Now or then?', 'detached')
    await expect
      .poll(() => rowOf(page, 'And the other?').evaluate(row => row.matches(':focus[aria-current="true"]')))
      .toBe(true)
    await page.getByText(/^Snoozed until /).waitFor()
    await page.getByRole('button', { name: /^Snoozed \d/ }).click()
    await rowOf(page, 'Now or then?').click()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('button', { name: 'Bring it back' }).click()
    await page.getByText('It is back in the inbox.').waitFor()
    await expect.poll(async () => (await itemOf('Now or then?')).snoozed_until).toBe(null)
  })

  test('an item is put away for a day of choice, or until a change, and Undo brings it back', async () => {
    const card_id = await ask('Until a change', 'Which day?')
    const page = await here().open('/')
    await rowOf(page, 'Which day?').click()
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Choose a day/ }).click()
    const calendar = page.getByRole('dialog', { name: 'The day on which it comes back' })
    await calendar.getByRole('grid').waitFor()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await waitFor(page, 'Which day?', 'detached')
    await page.getByRole('button', { name: 'Undo' }).click()
    await waitFor(page, 'Which day?', 'attached')
    await rowOf(page, 'Which day?').click()
    await page.keyboard.press('h')
    await page.getByRole('menuitem', { name: 'Until something changes' }).click()
    await waitFor(page, 'Which day?', 'detached')
    // What comes back is unread.
    const commenter = await here().world.agent({ name: 'Commenter' })
    const { board_id } = await here().world.ok('get_card', { card_id })
    await here().world.ok('grant_board_access', { board_id, agent_id: commenter.id })
    await here().world.ok('create_comment', { card_id, content: 'Here is @local-owner, a change.' }, { as: commenter })
    await isUnread(page, 'Which day?')
  })

  test('what is opened is read, and u marks it as unread; all are read at once', async () => {
    await ask('Read here', 'First to read?', 'Second to read?')
    const page = await here().open('/')
    await isUnread(page, 'First to read?')
    await rowOf(page, 'First to read?').click()
    await isRead(page, 'First to read?')
    await expect.poll(async () => (await itemOf('First to read?')).unread).toBe(false)
    await isUnread(page, 'Second to read?')
    await page.keyboard.press('u')
    await isUnread(page, 'First to read?')
    await expect.poll(async () => (await itemOf('First to read?')).unread).toBe(true)
    await page.reload()
    await isUnread(page, 'First to read?')
    await page.getByRole('button', { name: 'More for the inbox' }).click()
    await page.getByRole('menuitem', { name: 'Mark all as read' }).click()
    await isRead(page, 'Second to read?')
    await expect.poll(async () => (await itemOf('Second to read?')).unread).toBe(false)
  })

  /** The answer that a card has. */
  const answered = async (card_id: string) => (await here().world.ok('get_card', { card_id })).qa_items[0].answer

  test('an answer is taken back with what was typed, until it is sent', async () => {
    const card_id = await ask('Taken back', 'Was it meant so?')
    const page = await here().open('/')
    await rowOf(page, 'Was it meant so?').click()
    await page.getByLabel('Your answer').fill('No, not yet')
    await page.keyboard.press('Control+Enter')
    await waitFor(page, 'Was it meant so?', 'detached')
    expect(await answered(card_id)).toBe(null)
    await page.getByRole('button', { name: 'Undo' }).click()
    await rowOf(page, 'Was it meant so?').click()
    await expect.poll(() => page.getByLabel('Your answer').inputValue()).toBe('No, not yet')
    await page.keyboard.press('e')
    await page.keyboard.press('Control+Enter')
    await waitFor(page, 'Was it meant so?', 'detached')
    expect(await answered(card_id)).toBe(null)
    // Whatever has not been sent when the page is left is sent then.
    await page.reload()
    await expect.poll(() => answered(card_id), { timeout: 10_000 }).toBe('No, not yet')
  })

  test('an answer that is refused is back, and says why', async () => {
    const card_id = await ask('Refused', 'Still open?')
    const { id } = await itemOf('Still open?')
    const page = await here().open('/')
    await rowOf(page, 'Still open?').click()
    await page.getByLabel('Your answer').fill('Kept')
    await page.keyboard.press('Control+Enter')
    await waitFor(page, 'Still open?', 'detached')
    await here().world.ok('delete_card', { card_id })
    await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click()
    await page.getByText(/^It was not sent, and is back in the inbox: /).waitFor()
    expect(
      await page.evaluate(
        `Object.entries(localStorage).some(([key, value]) => key.endsWith(${JSON.stringify(id)}) && value.includes('Kept'))`,
      ),
    ).toBe(true)
  })

  test('what others did since the last visit is counted by board, and leads to its activity', async () => {
    const page = await here().open('/')
    const seenAt = Date.now() - 40 * 60_000
    await page.addInitScript(`localStorage.setItem('specboard-visit', '{"seen":${seenAt}}')`)
    await ask('Asked meanwhile', 'One?', 'Two?')
    await page.reload()
    await page.getByRole('button', { name: /^Since you were here/ }).click()
    const link = page.locator('.since-link', { hasText: '2 questions' })
    await link.first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await link.first().click()
    await page.getByRole('button', { name: /: Since my last visit$/ }).waitFor()
    await page.getByText(/asked/).first().waitFor()
  })

  test('the page of a message reads its item', async () => {
    await ask('By message', 'Read by message?')
    const { id } = await itemOf('Read by message?')
    const page = await here().open(`/i/${encodeURIComponent(id)}`)
    await page.getByRole('article').getByText('Read by message?').waitFor()
    await expect.poll(async () => (await itemOf('Read by message?')).unread).toBe(false)
    await page.getByRole('button', { name: 'Snooze', exact: true }).click()
    await page.getByRole('menuitem', { name: /^Tomorrow/ }).click()
    await page.getByRole('button', { name: 'Bring it back' }).waitFor()
  })
})
