import type { Page } from 'playwright-core'

/** The least width and height of what a finger presses, px (WCAG 2.2, 2.5.8). */
const least = 24

/** Runs in the page. A link within a line of text has its height, and a box the size of the label around it. */
const script = `[...document.querySelectorAll('a, button, input, select, textarea, summary')].flatMap(element => {
  const { display, visibility } = getComputedStyle(element)
  if (visibility === 'hidden' || (element.tagName === 'A' && display === 'inline')) return []
  const { width, height } = (element.closest('label:has([type=checkbox], [type=radio])') ?? element).getBoundingClientRect()
  // What is smaller than two pixels is there for screen readers alone.
  if (width < 2 || height < 2 || (width >= ${least} && height >= ${least})) return []
  return [element.outerHTML + ': ' + Math.round(width) + ' x ' + Math.round(height)]
})`

/** What is too small to be pressed with a finger, though it may have room around it. */
export const tinyTargets = (page: Page): Promise<string[]> => page.evaluate(script)
