import axe, { type AxeResults, type RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'

/** Waits for running animations, such as from one colour scheme to another, except endless ones such as spinners. */
const settle = `new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)))`

/** Half a megabyte, which stays in a page until the page is left. A frame may be of any origin. */
const source = `${axe.source}; axe.configure({ allowedOrigins: ['<unsafe_all_origins>'] })`

/** Rules about colours: the only ones that another colour scheme can break. */
const aboutColours = ['color-contrast', 'link-in-text-block']

/** What axe finds on a page by its usual rules, or by those that are named. */
async function findings(page: Page, rules?: readonly string[]): Promise<AxeResults['violations']> {
  await page.evaluate(settle)
  for (const frame of page.frames()) if (!(await frame.evaluate('"axe" in window'))) await frame.evaluate(source)
  const options: RunOptions = { resultTypes: ['violations'], ...(rules !== undefined && { runOnly: [...rules] }) }
  const { violations } = await page.evaluate<AxeResults>(`axe.run(document, ${JSON.stringify(options)})`)
  return violations
}

const inWords = (violations: AxeResults['violations']): string[] =>
  violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  )

async function serious(page: Page, rules?: readonly string[]): Promise<string[]> {
  const found = await findings(page, rules)
  return inWords(found.filter(({ impact }) => impact === 'serious' || impact === 'critical'))
}

/** What axe finds serious or critical on a page, each with the elements. */
export const seriousFindings = (page: Page): Promise<string[]> => serious(page)

/** The same for a page that was already checked, in the other colour scheme: only rules about colours. */
export async function seriousColours(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await page.emulateMedia({ colorScheme })
  return serious(page, aboutColours)
}

/** Targets that axe finds too small and too close to others, or covered by them (WCAG 2.2, 2.5.8). */
export const smallTargets = async (page: Page): Promise<string[]> => inWords(await findings(page, ['target-size']))
