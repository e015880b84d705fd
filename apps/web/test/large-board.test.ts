import { expect, test } from 'vitest'
import { Scene } from '../../cli/test/support/scene.ts'
import { browsing, describeInBrowser } from './support/browser.ts'

const cards = 2_000

/** To make the cards takes a while on a busy machine, ms. */
const patience = 240_000

describeInBrowser(`a board with ${cards} cards`, () => {
  const here = browsing()

  test(
    'draws only the tiles on the screen, and finds each of them',
    async () => {
      const scene = await Scene.on(here().world)
      const spec_id = await scene.spec('approved')
      const create = (index: number) => scene.card({ title: `Card ${index}`, spec_id })
      for (let index = 0; index < cards; index += 50)
        await Promise.all(Array.from({ length: 50 }, (_, offset) => create(index + offset)))
      const { key } = await here().world.ok('get_board', { board_id: scene.boardId })
      const page = await here().open(`/b/${key}/board`)
      await page.locator('.tile').first().waitFor()
      expect(await page.locator('.tile').count()).toBeLessThan(40)
      const column = page.locator('[data-column="not_started"]')
      await column.evaluate(element => element.scrollTo(0, element.scrollHeight))
      await page.locator(`.tile[data-index="${cards - 1}"]`).waitFor()
      expect(await page.locator('.tile').count()).toBeLessThan(60)
      await page.getByLabel('Filter by words or reference').fill('card 1999')
      await page.getByRole('link', { name: 'Card 1999' }).waitFor()
      // One has the number in its title, another in its reference.
      await expect.poll(() => page.locator('.tile').count()).toBeLessThanOrEqual(2)
    },
    patience,
  )
})
