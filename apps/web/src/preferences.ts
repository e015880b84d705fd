/** Display preferences, stored in this browser for whoever uses it. */

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

export const densities = ['roomy', 'compact'] as const
export type Density = (typeof densities)[number]

/** Languages of the pages. */
export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The browser's language, or always the same one. */
export const languageChoices = ['browser', ...languages] as const
export type LanguageChoice = (typeof languageChoices)[number]

export interface Preferences {
  readonly theme: Theme
  readonly density: Density
  readonly language: LanguageChoice
  /** Whether the sidebar shows icons only. */
  readonly isFolded: boolean
  /** Whether single-character keys are disabled (WCAG 2.1.4). */
  readonly isWithoutLetters: boolean
}

const keptAs = 'specboard-looks'

const usual: Preferences = {
  theme: 'system',
  density: 'roomy',
  language: 'browser',
  isFolded: false,
  isWithoutLetters: false,
}

const oneOf = <Value extends string>(values: readonly Value[], value: unknown, otherwise: Value): Value =>
  values.find(candidate => candidate === value) ?? otherwise

/** The stored preferences; another version may have stored something else, and some browsers store nothing. */
function read(): Preferences {
  try {
    const stored: Partial<Record<keyof Preferences, unknown>> = JSON.parse(localStorage.getItem(keptAs) ?? '{}')
    return {
      theme: oneOf(themes, stored.theme, usual.theme),
      density: oneOf(densities, stored.density, usual.density),
      language: oneOf(languageChoices, stored.language, usual.language),
      isFolded: stored.isFolded === true,
      isWithoutLetters: stored.isWithoutLetters === true,
    }
  } catch {
    return usual
  }
}

let preferences = read()
const listeners = new Set<() => void>()

function show(): void {
  const { classList } = document.documentElement
  for (const theme of ['light', 'dark']) classList.toggle(theme, preferences.theme === theme)
  classList.toggle('compact', preferences.density === 'compact')
}

/** Changes the preferences; other tabs use them the next time they are loaded. */
export function setPreferences(change: Partial<Preferences>): void {
  preferences = { ...preferences, ...change }
  show()
  try {
    localStorage.setItem(keptAs, JSON.stringify(preferences))
  } catch {
    // In a browser without storage, the preferences last as long as the tab is open.
  }
  for (const listener of listeners) listener()
}

/**
 * Shows the pages in another language. Texts are read when a page loads, so it is reloaded; what was typed is kept as a
 * draft.
 */
export function setLanguage(language: LanguageChoice): void {
  setPreferences({ language })
  location.reload()
}

/** Applies the preferences of this browser. Called once, before anything is rendered. */
export const applyPreferences = show

/** Notifies of changes, until the returned function is called. */
export const onPreferences = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The current preferences. */
export const currentPreferences = (): Preferences => preferences
