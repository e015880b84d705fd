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

/**
 * Runs in the page: brings each control into sight and looks what a pointer meets at its middle. Another control there, or a
 * bar above it, keeps it from being pressed.
 */
const coveredScript = `[...document.querySelectorAll('main :is(a, button, input, select, textarea, summary)')].flatMap(element => {
  const isMeant = element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })
  if (!isMeant || getComputedStyle(element).pointerEvents === 'none') return []
  element.scrollIntoView({ block: 'center', inline: 'center' })
  const [box] = element.getClientRects()
  if (box === undefined || box.width < 2 || box.height < 2) return []
  const met = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2)
  const label = element.closest('label')
  if (met === null || element.contains(met) || met.contains(element) || label?.contains(met)) return []
  return [element.outerHTML + ' under ' + met.outerHTML.slice(0, 200)]
})`

/** The controls of a page that something else covers. */
export const coveredTargets = (page: Page): Promise<string[]> => page.evaluate(coveredScript)
