/** How this browser displays boards: which columns fold, and what cards show. */
import { useSyncExternalStore } from 'react'

/** The facts that a card can show in addition to its reference, title and assignee. */
export const cardFacts = ['spec', 'labels', 'due', 'proof', 'change', 'comments', 'age'] as const
export type CardFact = (typeof cardFacts)[number]

export interface BoardDisplay {
  readonly foldsEmpty: boolean
  readonly foldsCancelled: boolean
  readonly facts: ReadonlySet<CardFact>
}

const keptAs = 'specboard-board'

const usual: BoardDisplay = {
  foldsEmpty: true,
  foldsCancelled: true,
  facts: new Set(['spec', 'labels', 'due', 'proof', 'change']),
}

/** The stored preferences; another version may have stored something else, and some browsers store nothing. */
function read(): BoardDisplay {
  try {
    const stored: Partial<Record<keyof BoardDisplay, unknown>> = JSON.parse(localStorage.getItem(keptAs) ?? '{}')
    const facts: readonly unknown[] = Array.isArray(stored.facts) ? stored.facts : [...usual.facts]
    return {
      foldsEmpty: stored.foldsEmpty !== false,
      foldsCancelled: stored.foldsCancelled !== false,
      facts: new Set(cardFacts.filter(fact => facts.includes(fact))),
    }
  } catch {
    return usual
  }
}

let display = read()
const listeners = new Set<() => void>()

export function setDisplay(change: Partial<BoardDisplay>): void {
  display = { ...display, ...change }
  try {
    localStorage.setItem(keptAs, JSON.stringify({ ...display, facts: [...display.facts] }))
  } catch {
    // A browser without storage uses it as long as the tab is open.
  }
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export const useDisplay = (): BoardDisplay => useSyncExternalStore(subscribe, () => display)
