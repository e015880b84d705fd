import { useSyncExternalStore } from 'react'
import { currentPreferences, onPreferences, type Preferences } from '../preferences.ts'

/** The display preferences, for components that depend on them. */
export const usePreferences = (): Preferences => useSyncExternalStore(onPreferences, currentPreferences)
