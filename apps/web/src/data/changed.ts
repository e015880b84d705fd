import { useSyncExternalStore } from 'react'

/** How long something that changed stays marked, ms; the styles fade the mark meanwhile. */
const markedMs = 1_600

const marked = new Map<string, number>()
const listeners = new Set<() => void>()

const notifyListeners = (): void => {
  for (const listener of listeners) listener()
}

/** Marks records as changed by somebody, briefly. */
export function markChanged(ids: Iterable<string>): void {
  const until = performance.now() + markedMs
  for (const id of ids) marked.set(id, until)
  notifyListeners()
  setTimeout(() => {
    const now = performance.now()
    for (const [id, end] of marked) if (end <= now) marked.delete(id)
    notifyListeners()
  }, markedMs + 20)
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Whether a record has just changed. */
export const useChanged = (id: string): boolean => useSyncExternalStore(subscribe, () => marked.has(id))
