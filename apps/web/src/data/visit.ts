/** When the person was here before, in this browser. */
import { useEffect } from 'react'

const keptAs = 'specboard-visit'

/** How long nobody must have looked for a new visit to begin, ms. */
const breakMs = 30 * 60_000

/** How often a page that is looked at notes that somebody is here, ms. */
const noteMs = 60_000

interface Visit {
  /** When somebody was last here, ms. */
  readonly seen: number
  /** When the visit before this one ended, ms. */
  readonly before?: number | undefined
}

const isVisit = (kept: unknown): kept is Visit =>
  typeof kept === 'object' && kept !== null && 'seen' in kept && typeof kept.seen === 'number'

function read(): Visit | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keptAs) ?? 'null')
    return isVisit(kept) ? kept : undefined
  } catch {
    return undefined
  }
}

/** The visit that goes on, or a new one after a break. */
export function visitAt(kept: Visit | undefined, now: number): Visit {
  if (kept === undefined) return { seen: now }
  return { seen: now, before: now - kept.seen > breakMs ? kept.seen : kept.before }
}

function note(): void {
  try {
    localStorage.setItem(keptAs, JSON.stringify(visitAt(read(), Date.now())))
  } catch {
    // A browser without storage knows no visits.
  }
}

/** Notes that the person is here, as long as the page is looked at. Used once, by the shell. */
export function useNotedVisit(): void {
  useEffect(() => {
    const noteSeen = () => {
      if (document.visibilityState === 'visible') note()
    }
    noteSeen()
    const timer = setInterval(noteSeen, noteMs)
    document.addEventListener('visibilitychange', noteSeen)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', noteSeen)
    }
  }, [])
}

/** When the visit before this one ended; undefined in the first one. */
export function lastVisit(): string | undefined {
  // The visit that begins may not be noted yet.
  const { before } = visitAt(read(), Date.now())
  return before === undefined ? undefined : new Date(before).toISOString()
}
