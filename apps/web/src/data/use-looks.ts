import { useSyncExternalStore } from 'react'
import { type Looks, looksNow, onLooks } from '../looks.ts'

/** The display preferences, for components that depend on them. */
export const useLooks = (): Looks => useSyncExternalStore(onLooks, looksNow)
