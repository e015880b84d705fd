import AxeBuilder from '@axe-core/playwright'
import type { Page } from 'playwright-core'

/** Waits for what is still under way, such as from one colour scheme to another; a spinner never ends. */
const settle = `new Promise(requestAnimationFrame).then(() => Promise.allSettled(document.getAnimations()
  .filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity).map(({ finished }) => finished)))`

/** What axe finds on a page by its usual rules, or by those that are named. */
async function findings(page: Page, ...rules: readonly string[]) {
  await page.evaluate(settle)
  // Within the page: no frame of ours has contents of its own, and a second page costs as much as the check.
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
  const { violations } = await (rules.length === 0 ? axe : axe.withRules([...rules])).analyze()
  return violations
}

type Findings = Awaited<ReturnType<typeof findings>>

const inWords = (violations: Findings): string[] =>
  violations.map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
  )

/** What axe finds serious or critical on a page, each with the elements. */
export const seriousFindings = async (page: Page): Promise<string[]> =>
  inWords((await findings(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical'))

/** What axe finds too small and too close to something else, or covered by it (WCAG 2.2, 2.5.8). */
export const smallTargets = async (page: Page): Promise<string[]> => inWords(await findings(page, 'target-size'))
