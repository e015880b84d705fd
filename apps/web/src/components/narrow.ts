import { useSyncExternalStore } from 'react'

/** Phones: the same width as in the styles. */
const narrow = matchMedia('(max-width: 700px)')

const subscribe = (listener: () => void) => {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether the page is as narrow as a phone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
