import { useSyncExternalStore } from 'react'

let said = ''
const listeners = new Set<() => void>()

/** Announces to screen readers what is otherwise only visible: a moved card, the result of a filter. */
export function announce(text: string): void {
  // Screen readers do not read the same text twice.
  said = said === text ? `${text}\u00a0` : text
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const Announcer = () => {
  const text = useSyncExternalStore(subscribe, () => said)
  return (
    <div className="hidden" aria-live="assertive" data-testid="announcer">
      {text}
    </div>
  )
}
