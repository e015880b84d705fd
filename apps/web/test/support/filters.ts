import type { Page } from 'playwright-core'

/** Filters a page by a value of a property, by way of its menu. */
export async function choose(page: Page, property: string, value: string): Promise<void> {
  await page.getByRole('button', { name: 'Filter', exact: true }).click()
  await page.getByRole('menuitem', { name: property, exact: true }).click()
  await page.getByRole('option', { name: value, exact: true }).click()
}
