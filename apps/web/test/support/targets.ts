import type { Page } from 'playwright-core'

/** Minimum width and height of a touch target, px (WCAG 2.2, 2.5.8). */
const min = 24

/**
 * Runs in the page. A link within a line of text is exempt, because it has the height of the line; a box has the size
 * of the label around it.
 */
const script = `[...document.querySelectorAll('a, button, input, select, textarea, summary')].flatMap(element => {
  const { display, visibility } = getComputedStyle(element)
  if (visibility === 'hidden' || (element.tagName === 'A' && display === 'inline')) return []
  const { width, height } = (element.closest('label:has([type=checkbox], [type=radio])') ?? element).getBoundingClientRect()
  // Elements smaller than two pixels are only for screen readers.
  if (width < 2 || height < 2 || (width >= ${min} && height >= ${min})) return []
  return [element.outerHTML + ': ' + Math.round(width) + ' x ' + Math.round(height)]
})`

/** Controls too small to be pressed with a finger, even if there is space around them. */
export const tinyTargets = (page: Page): Promise<string[]> => page.evaluate(script)

/** Minimum width and height of a comfortable touch target, px (WCAG 2.2, 2.5.5). */
const roomy = 44

/**
 * Runs in the page: measures how far from the middle of each control, in all four directions, a finger still presses
 * it. Pressing a label presses its box, and space drawn around a control belongs to the control. Not counted: links in
 * a sentence, anything drawn to scale (marks of a chart, bars of the timeline, records in a drawing), and the title of
 * a tile, because the whole tile opens the card.
 */
const roomyScript = `(() => {
  const controls = 'a[href], button, input, select, textarea, summary, [role=button], [role=tab], [role=switch]'
  const inSentence = element => {
    const { display } = getComputedStyle(element)
    if (element.tagName !== 'A' || !display.startsWith('inline')) return false
    const around = element.closest('p, li, td, th, dd, label, blockquote, figcaption, .muted, .event')
    return around !== null && around.textContent.trim().length > element.textContent.trim().length
  }
  const isScaled = element => element.closest('svg, .timeline-rows, .lineage-canvas, .knowledge-picture, .network') !== null
  return [...document.querySelectorAll(controls)].flatMap(element => {
    if (!element.checkVisibility({ contentVisibilityAuto: true, visibilityProperty: true })) return []
    if (element.disabled || inSentence(element) || isScaled(element) || element.matches('.tile-title, .event p > a')) return []
    const label = element.closest('label') ?? (element.id === '' ? null : document.querySelector('label[for="' + element.id + '"]'))
    const isBox = element.matches('[type=checkbox], [type=radio]')
    const target = isBox && label !== null ? label : element
    target.scrollIntoView({ block: 'center', inline: 'center' })
    const box = target.getBoundingClientRect()
    // Elements smaller than two pixels are only for screen readers.
    if (box.width < 2 || box.height < 2) return []
    if (box.width >= ${roomy} && box.height >= ${roomy}) return []
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    const presses = (dx, dy) => {
      const met = document.elementFromPoint(x + dx, y + dy)
      return met !== null && (target.contains(met) || element.contains(met) || (isBox && met.closest('label') === label && label !== null))
    }
    const reach = (dx, dy, most) => {
      let by = 0
      while (by < most && presses(dx * (by + 1), dy * (by + 1))) by++
      return by
    }
    const room = (length, dx, dy) => {
      if (length >= ${roomy} - 1) return length
      const before = reach(-dx, -dy, ${roomy})
      return Math.max(length, before + reach(dx, dy, ${roomy} - before))
    }
    const [width, height] = [room(box.width, 1, 0), room(box.height, 0, 1)]
    if (width >= ${roomy} - 1 && height >= ${roomy} - 1) return []
    return [Math.round(width) + ' x ' + Math.round(height) + ': ' + element.outerHTML.slice(0, 220)]
  })
})()`

/** Controls that are not comfortable to press with a finger. */
export const narrowTargets = (page: Page): Promise<string[]> => page.evaluate(roomyScript)

/**
 * Runs in the page: scrolls each control into view and finds the element at its middle. If that is another control, or
 * a bar above it, the control cannot be pressed.
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

/**
 * Runs in the page: finds rows of links or buttons that overflow without showing it, or whose current entry is out of
 * sight.
 */
const stripScript = `[...document.querySelectorAll('nav, [role=tablist], ul')].flatMap(strip => {
  const { overflowX, maskImage } = getComputedStyle(strip)
  if (!/auto|scroll|hidden|clip/.test(overflowX) || strip.scrollWidth <= strip.clientWidth + 1) return []
  const name = strip.getAttribute('aria-label') ?? strip.className
  const room = strip.getBoundingClientRect()
  const current = strip.querySelector('[aria-current]')?.getBoundingClientRect()
  const isOut = current !== undefined && (current.left < room.left - 1 || current.right > room.right + 1)
  return [...(maskImage === 'none' ? [name + ' is cut without a sign'] : []), ...(isOut ? [name + ' hides what is current'] : [])]
})`

/** The rows of links and buttons that are cut off at an edge without showing it, or that hide the current entry. */
export const cutStrips = (page: Page): Promise<string[]> => page.evaluate(stripScript)

/** Runs in the page: by how much it is wider than the window, as a whole or where its main part scrolls, px. */
export const tooWide = `Math.max(
  document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll('main')].map(main => main.scrollWidth - main.clientWidth),
)`
