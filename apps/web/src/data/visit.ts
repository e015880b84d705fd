/** When the person was last here, in this browser. */
import { useEffect } from 'react'

const keptAs = 'specboard-visit'

/** The absence after which a new visit begins, ms. */
const breakMs = 30 * 60_000

/** How often a visible page records that somebody is here, ms. */
const noteMs = 60_000

interface Visit {
  /** When somebody was last here, ms. */
  readonly seen: number
  /** When the visit before this one ended, ms. */
  readonly before?: number | undefined
}

const isVisit = (value: unknown): value is Visit =>
  typeof value === 'object' && value !== null && 'seen' in value && typeof value.seen === 'number'

function read(): Visit | undefined {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(keptAs) ?? 'null')
    return isVisit(stored) ? stored : undefined
  } catch {
    return undefined
  }
}

/** The current visit, or a new one after a long enough absence. */
export function visitAt(visit: Visit | undefined, now: number): Visit {
  if (visit === undefined) return { seen: now }
  return { seen: now, before: now - visit.seen > breakMs ? visit.seen : visit.before }
}

function note(): void {
  try {
    localStorage.setItem(keptAs, JSON.stringify(visitAt(read(), Date.now())))
  } catch {
    // A browser without storage cannot remember visits.
  }
}

/** Records that the person is here while the page is visible. Used once, by the shell. */
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
  // The visit that begins may not be recorded yet.
  const { before } = visitAt(read(), Date.now())
  return before === undefined ? undefined : new Date(before).toISOString()
}
