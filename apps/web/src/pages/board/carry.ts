/** A place on the screen, px. */
export interface Point {
  readonly x: number
  readonly y: number
}

/** Handles an element that a finger has picked up. */
export interface Carrying {
  takeUp(at: Point): void
  carry(to: Point): void
  putDown(at: Point): void
  /** The touch was cancelled, for example by a phone call or a second finger. */
  putBack(): void
}

/**
 * How long a finger must rest to pick something up, ms: shorter than the time after which browsers open their link
 * menu.
 */
const restMs = 400

/** How far a finger that rests may stray, px. */
const strayPx = 8

const pointOf = ({ clientX, clientY }: Touch): Point => ({ x: clientX, y: clientY })

/**
 * Follows a finger from its first touch of an element. As usual, moving at once scrolls and lifting at once taps; resting picks the element up and carries it.
 * @returns a function that ends it and puts back what is carried
 */
export function followTouch(element: HTMLElement, first: Touch, carrying: Carrying): () => void {
  const from = pointOf(first)
  let at = from
  let isCarried = false
  const listening = new AbortController()
  const resting = setTimeout(() => {
    isCarried = true
    carrying.takeUp(at)
  }, restMs)
  const stop = () => {
    clearTimeout(resting)
    listening.abort()
  }
  const cancel = () => {
    stop()
    if (isCarried) carrying.putBack()
    isCarried = false
  }
  const onMove = (event: TouchEvent) => {
    at = pointOf(event.touches[0]!)
    if (!isCarried) {
      if (Math.hypot(at.x - from.x, at.y - from.y) > strayPx) stop()
      return
    }
    event.preventDefault()
    carrying.carry(at)
  }
  const onEnd = (event: TouchEvent) => {
    stop()
    if (!isCarried) return
    isCarried = false
    // Otherwise it would be a tap.
    event.preventDefault()
    carrying.putDown(at)
  }
  const { signal } = listening
  // The listener is on the element itself, which still receives the touch events after a long column has scrolled it
  // out of the page.
  element.addEventListener('touchmove', onMove, { signal, passive: false })
  element.addEventListener('touchend', onEnd, { signal })
  element.addEventListener('touchcancel', cancel, { signal })
  element.addEventListener('contextmenu', event => event.preventDefault(), { signal })
  return cancel
}

/** How close to an edge scrolling begins, px, and the maximum distance per frame. */
const edgePx = 56
const maxPerFrame = 12

/** How far to scroll, px, for a finger at a position between two edges; the closer to an edge, the farther. */
export function edgeScroll(at: number, start: number, end: number): number {
  const before = Math.min(1, (start + edgePx - at) / edgePx)
  const after = Math.min(1, (at - (end - edgePx)) / edgePx)
  if (before <= 0 && after <= 0) return 0
  return Math.round((before > after ? -before : after) * maxPerFrame)
}

/** A picture of an element that starts at the element's position and follows a finger above everything else. */
export function pictureOf(element: HTMLElement, inside: HTMLElement, from: Point) {
  const { left, top, width } = element.getBoundingClientRect()
  const picture = element.cloneNode(true) as HTMLElement
  for (const name of ['data-card', 'data-ref', 'data-index']) picture.removeAttribute(name)
  picture.classList.add('carried')
  picture.inert = true
  picture.style.width = `${width}px`
  const moveTo = ({ x, y }: Point) => {
    picture.style.translate = `${left + x - from.x}px ${top + y - from.y}px`
  }
  moveTo(from)
  inside.append(picture)
  return { moveTo, remove: () => picture.remove() }
}
