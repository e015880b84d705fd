import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

describeInBrowser('activity', () => {
  const here = browsing()

  test('what happens appears by itself, newest first, and is filtered by the address', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const key = await scene.boardKey()
    const page = await here().open(`/b/${key}/activity`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    const card_id = await scene.workableCard()
    await page.getByText('card created').first().waitFor()
    await world.ok('move_card', { card_id, target_status: 'started' })
    await page.getByText('status: not started → started').waitFor()
    await expect.poll(() => page.locator('.event').first().textContent()).toContain('card moved')
    expect(await seriousFindings(page)).toEqual([])
    await page.getByLabel('Record').selectOption({ label: 'Spec' })
    await page.getByText('card created').first().waitFor({ state: 'detached' })
    expect(page.url()).toContain('entity_type=spec')
    await page.getByLabel('Record').selectOption('')
    const { ref } = await world.ok('get_card', { card_id })
    await page.getByLabel('Reference').fill(ref)
    await page.keyboard.press('Enter')
    await page.getByText('spec moved').first().waitFor({ state: 'detached' })
    await page.getByText('card moved').waitFor()
    for (const event of await page.locator('.event').all()) expect(await event.textContent()).toContain(ref)
  })

  test('older events follow', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    for (let count = 0; count < 60; count++) await scene.ideation('draft', { title: `Idea ${count}` })
    const key = await scene.boardKey()
    const page = await here().open(`/b/${key}/activity`)
    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(() => page.locator('.event').count()).toBeGreaterThan(50)
  })
})
