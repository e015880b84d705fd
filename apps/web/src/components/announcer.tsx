import { useSyncExternalStore } from 'react'

let said = ''
const listeners = new Set<() => void>()

/** Says something to a screen reader that others see: a card that moved, what a filter left. */
export function announce(text: string): void {
  // The same words twice would not be read out again.
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
