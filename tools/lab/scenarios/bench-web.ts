/**
 * Measures the web board in a real browser: the script of the first load, a board of 2,000 cards until it takes input,
 * a filter on it, scrolling, and how long a change takes to reach somebody else's screen.
 */
import { browserPath } from '../../../apps/web/test/support/browser-path.ts'
import { scenario } from '../harness/scenario.ts'

export default scenario({
  summary:
    'the web board in Chromium: first load, 2,000 cards, a filter, scrolling, the time until others see a change',
  options: { cards: 2_000, rounds: 5 },
  short: { cards: 300, rounds: 2 },
  lacks: () => (browserPath === undefined ? 'No browser was found; SPECBOARD_BROWSER may name one' : undefined),
  run: async (lab, options) => (await import('../../../apps/web/bench/bench-web.ts')).reportWeb(lab, options),
})
