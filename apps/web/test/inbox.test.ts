import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('the inbox', () => {
  const here = browsing()

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
    await page.getByRole('button', { name: /First/ }).click()
    const open = page.locator('.inbox-row[aria-current]')
    await page.keyboard.press('j')
    await open.getByText('Second?').waitFor()
    await page.keyboard.press('k')
    await open.getByText('First?').waitFor()
    expect(await seriousFindings(page)).toEqual([])
    await page.keyboard.press('e')
    await page.keyboard.type('Once')
    await page.keyboard.press('Control+Enter')
    // What was settled gives way to the next one, which has the focus.
    await open.getByText('Second?').waitFor()
    await page.getByRole('button', { name: /First/ }).waitFor({ state: 'detached' })
    await expect.poll(() => open.evaluate(row => row.matches(':focus'))).toBe(true)
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
})
