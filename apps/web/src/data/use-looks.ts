import { useSyncExternalStore } from 'react'
import { type Looks, looksNow, onLooks } from '../looks.ts'

/** How the pages look, for components that depend on it. */
export const useLooks = (): Looks => useSyncExternalStore(onLooks, looksNow)
