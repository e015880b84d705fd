import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { seriousFindings } from './support/axe.ts'
import { browsing, describeInBrowser } from './support/browser.ts'
import { choose } from './support/filters.ts'

describeInBrowser('activity', () => {
  const here = browsing()

  test('what happens appears by itself, newest first, and is filtered by the address', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const key = await scene.boardKey()
    const page = await here().open(`/b/${key}/activity`)
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    const card_id = await scene.workableCard()
    const sentence = (text: string) => page.locator('.event', { hasText: text })
    await sentence('created').filter({ hasText: 'Card' }).first().waitFor()
    await world.ok('move_card', { card_id, target_status: 'started' })
    await sentence('moved').filter({ hasText: 'Not started' }).filter({ hasText: 'Started' }).waitFor()
    await expect.poll(() => page.locator('.event').first().textContent()).toContain('moved')
    expect(await seriousFindings(page)).toEqual([])
    await choose(page, 'Record', 'Spec')
    await sentence('Not started').waitFor({ state: 'detached' })
    expect(page.url()).toContain('entity_type=spec')
    await page.getByRole('button', { name: 'Remove the filter Record' }).click()
    const { ref } = await world.ok('get_card', { card_id })
    await page.getByRole('button', { name: 'Filter', exact: true }).click()
    await page.getByRole('menuitem', { name: 'Reference' }).click()
    await page.keyboard.type(ref)
    await page.keyboard.press('Enter')
    await sentence('Spec').waitFor({ state: 'detached' })
    await sentence('Not started').waitFor()
    for (const event of await page.locator('.event').all()) expect(await event.textContent()).toContain(ref)
  })

  test('one chooses by words what happened; an address may name actions itself', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    const key = await scene.boardKey()
    const card_id = await scene.workableCard()
    await world.ok('create_comment', { card_id, content: 'Is it red?' })
    await world.ok('move_card', { card_id, target_status: 'started' })
    const page = await here().open(`/b/${key}/activity`)
    const sentences = () => page.locator('.event').allTextContents()
    await page.locator('.event', { hasText: 'commented on' }).waitFor()
    await choose(page, 'Action', 'Comments')
    await expect.poll(sentences).toEqual([expect.stringContaining('commented on')])
    expect(page.url()).toContain('action=comments')
    await page.getByRole('button', { name: 'Action: Comments' }).click()
    await page.getByRole('option', { name: 'Moved' }).click()
    await page.locator('.event', { hasText: 'commented on' }).waitFor({ state: 'detached' })
    await page.locator('.event', { hasText: 'moved' }).first().waitFor()
    await page.goto(`${here().url}/b/${key}/activity?action=card_moved`)
    await expect.poll(sentences).toEqual([expect.stringContaining('moved')])
    await page.getByRole('button', { name: 'Action: card moved' }).waitFor()
    expect(await seriousFindings(page)).toEqual([])
  })

  test('older events follow', async () => {
    const { world } = here()
    const scene = await Scene.on(world)
    for (let count = 0; count < 60; count++) await scene.ideation('draft', { title: `Idea ${count}` })
    const key = await scene.boardKey()
    const page = await here().open(`/b/${key}/activity`)
    // Consecutive actions are shown in one line, which can be unfolded.
    await page.getByRole('button', { name: 'and 49 more' }).click()
    await expect.poll(() => page.locator('.event').count()).toBe(50)
    await page.getByRole('button', { name: 'Older' }).click()
    await expect.poll(() => page.locator('.event').count()).toBeGreaterThan(50)
  })
})
