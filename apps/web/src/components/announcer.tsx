import { useSyncExternalStore } from 'react'

let announcement = ''
const listeners = new Set<() => void>()

/** Announces to screen readers what is otherwise only visible: a moved card, the result of a filter. */
export function announce(text: string): void {
  // Screen readers do not read the same text twice.
  announcement = announcement === text ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const Announcer = () => {
  const text = useSyncExternalStore(subscribe, () => announcement)
  return (
    <div className="hidden" aria-live="assertive" data-testid="announcer">
      {text}
    </div>
  )
}
