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
    await page.getByLabel('Your question').fill('Which colour?')
    await page.getByRole('button', { name: 'Ask', exact: true }).click()
    await page.getByText('Which colour?').waitFor()
    await page.getByLabel('Your answer').fill('Blue')
    await page.getByRole('button', { name: 'Answer', exact: true }).click()
    await page.getByText('Blue').waitFor()
    await here().world.ok('create_comment', { card_id: card.id, content: 'From elsewhere' })
    await page.getByText('From elsewhere').waitFor()
  })

  test('a text is edited in place', async () => {
    const { card, page } = await open({ title: 'Edited', description: 'Before' })
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('After')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('After').waitFor()
    expect((await here().world.ok('get_card', { card_id: card.id })).description).toBe('After')
  })

  test('an edit that meets the edit of somebody else loses neither', async () => {
    const { card, page } = await open({ title: 'Contested', description: 'Before' })
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('Mine')
    await here().world.ok('update_card', { card_id: card.id, description: 'Theirs' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Somebody else changed this meanwhile').waitFor()
    await page.getByText('Theirs', { exact: true }).first().waitFor()
    expect((await here().world.ok('get_card', { card_id: card.id })).description).toBe('Theirs')
    await page.getByRole('textbox', { name: 'What you wrote' }).fill('Theirs and mine')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Theirs and mine').waitFor()
  })

  test('a change of another field does not stand in the way', async () => {
    const { card, page } = await open({ title: 'Shared', description: 'Before' })
    await page.getByRole('button', { name: 'Edit: What to do' }).click()
    await page.getByRole('textbox', { name: 'What to do' }).fill('Mine')
    await here().world.ok('update_card', { card_id: card.id, priority: 'high' })
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Mine', { exact: true }).waitFor()
  })

  test('a card is validated where it is time for it', async () => {
    const { card, page } = await open({ title: 'Judged' })
    const report = { completeness: 100, completeness_justification: 'All', drift: 0, drift_justification: 'None' }
    await here().world.ok('move_card', { card_id: card.id, target_status: 'started' })
    await here().world.ok('move_card', { card_id: card.id, target_status: 'validation', conclusion: 'Done', ...report })
    await page.getByRole('button', { name: 'Validate' }).click()
    await page.getByLabel('What you looked at').fill('All of it')
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Approved').waitFor()
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: card.id })).status).toBe('done')
  })

  test('a reference alone leads to it', async () => {
    const { card } = await open({ title: 'Referred to' })
    const page = await here().open(`/b/${card.ref.split('-')[0]}/r/${card.ref}`)
    await page.getByRole('heading', { name: 'Referred to' }).waitFor()
    expect(page.url()).toContain(`/cards/${card.ref}`)
  })
})
