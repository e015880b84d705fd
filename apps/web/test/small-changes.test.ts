import { expect, test } from 'vitest'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('small changes', () => {
  const here = browsing()

  /** A board with a small change that the owner holds. */
  async function held() {
    const { world } = here()
    const { id: board_id, key } = await world.ok('create_board', { name: 'Chores', description: '' })
    const card = await world.ok('create_card', { board_id, title: 'Fix the sign', claim: true, check: 'Read it aloud' })
    await world.ok('save_checkpoint', { card_id: card.id, text: 'Half of it is painted.' })
    return { key, card }
  }

  test('a card shows where work stands, how it is checked, and the spec of small changes', async () => {
    const { key, card } = await held()
    const page = await here().open(`/b/${key}/cards/${card.ref}`)
    await page.getByText('Half of it is painted.').waitFor()
    await page.getByText('Read it aloud').waitFor()
    await page.getByText('Small changes').first().waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('is done with a conclusion and how it was checked', async () => {
    const { key, card } = await held()
    const page = await here().open(`/b/${key}/cards/${card.ref}`)
    const moves = page.getByRole('region', { name: 'Moves' })
    await moves.getByRole('button', { name: /Move to/ }).click()
    await moves.getByRole('button', { name: /^Done/ }).click()
    await page.getByLabel('What was done').fill('All of it is painted.')
    await page.getByLabel('How it was checked').fill('Looked at it from the road')
    expect(await page.getByLabel(/Completeness/).count()).toBe(0)
    await page.getByRole('dialog').getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(async () => (await here().world.ok('get_card', { card_id: card.id })).status).toBe('done')
    await page.getByText('Checked: Looked at it from the road').waitFor()
  })

  test('becomes a spec when it grows', async () => {
    const { key, card } = await held()
    const page = await here().open(`/b/${key}/cards/${card.ref}`)
    await page.getByRole('button', { name: 'Make a spec of it' }).click()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Make a spec of it' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fix the sign' }).waitFor()
    await page.getByText('Read it aloud').waitFor()
  })
})
