import { useSyncExternalStore } from 'react'

/** Phones: the same width as in the styles. Paper is not a phone, although it is as narrow. */
const narrow = matchMedia('screen and (max-width: 700px)')

/** The width below which side content moves above the page: the same as in the styles. */
const stacked = matchMedia('screen and (max-width: 900px)')

const subscribeTo = (query: MediaQueryList) => (listener: () => void) => {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

const subscribe = subscribeTo(narrow)
const subscribeToStacked = subscribeTo(stacked)

/** Whether there is no room beside the page for side content. */
export const useIsStacked = (): boolean => useSyncExternalStore(subscribeToStacked, () => stacked.matches)

/** Whether the page is as narrow as a phone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
