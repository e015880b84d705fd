import type { Page } from 'playwright-core'

/** Closes the toast that offers to take an answer of the inbox back, and waits until the answer is sent. */
export async function sendAtOnce(page: Page): Promise<void> {
  const responsePromise = page.waitForResponse(
    response => response.request().headers()['idempotency-key'] !== undefined,
  )
  await page.locator('.toast').getByRole('button', { name: 'Dismiss' }).click()
  await responsePromise
}
