import type { Locator, Page } from 'playwright-core'

export const column = (page: Page, status: string): Locator => page.locator(`[data-column="${status}"]`)

export const tile = (page: Page, title: string): Locator => page.locator('.tile', { hasText: title })

/** Takes a card up with the mouse, and holds it. */
export async function lift(page: Page, title: string): Promise<void> {
  const { x, y } = (await tile(page, title).boundingBox())!
  await page.mouse.move(x + 40, y + 30)
  await page.mouse.down()
  await page.mouse.move(x + 60, y + 60, { steps: 5 })
}

/**
 * Drags a card onto a column as a hand does: with a last move after the page has shown whether the card may be dropped.
 */
export async function drag(page: Page, title: string, status: string): Promise<void> {
  const from = (await tile(page, title).boundingBox())!
  const to = (await column(page, status).boundingBox())!
  const x = to.x + to.width / 2
  await page.mouse.move(from.x + 60, from.y + 50)
  await page.mouse.down()
  await page.mouse.move(x, to.y + 120, { steps: 8 })
  await page.locator('.drag-hint, .column-note').first().waitFor()
  await page.mouse.move(x + 4, to.y + 130, { steps: 4 })
  await page.mouse.up()
}
