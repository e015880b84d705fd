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

  test('a card out of attempts gets one more, from its page and from the inbox (crew 4.6)', async () => {
    const { world } = here()
    const { key, card } = await held()
    await world.ok('update_board', { board_id: key, settings: { max_attempts: 1 } })
    const fail = async () => {
      await world.ok('move_card', {
        card_id: card.id,
        target_status: 'validation',
        conclusion: 'Done.',
        check: 'Seen.',
      })
      await world.ok('submit_task_validation', { card_id: card.id, outcome: 'failed', summary: 'No.' })
    }
    const limit = async () => (await world.ok('get_card', { card_id: card.id })).attempts.limit
    await fail()
    const page = await here().open(`/b/${key}/cards/${card.ref}`)
    await page.getByText('1 of 1 used').waitFor()
    await page.getByRole('button', { name: 'Allow one more' }).click()
    await page.getByText('1 of 2 used').waitFor()
    expect(await page.getByRole('button', { name: 'Allow one more' }).count()).toBe(0)
    expect(await seriousFindings(page)).toEqual([])
    await world.ok('claim_card', { card_id: card.id })
    await fail()
    const inbox = await here().open('/')
    // At first it is listed among the cards that the person holds.
    await inbox.getByText('Fix the sign').last().click()
    await inbox.getByRole('button', { name: 'Allow one more attempt' }).click()
    await expect.poll(limit).toBe(3)
  })

  test('becomes a spec when it grows', async () => {
    const { key, card } = await held()
    const page = await here().open(`/b/${key}/cards/${card.ref}`)
    await page.getByRole('button', { name: 'Turn into a spec' }).click()
    expect(await seriousFindings(page)).toEqual([])
    await page.getByRole('dialog').getByRole('button', { name: 'Turn into a spec' }).click()
    await page.getByRole('heading', { level: 1, name: 'Fix the sign' }).waitFor()
    await page.getByText('Read it aloud').waitFor()
  })
})
