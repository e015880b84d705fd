import type { FindNextActions } from './kernel/next-action.ts'
import * as visibility from './visibility.ts'

/** Loads what finds the next actions of a refusal, with the first one: it knows the gates of every feature. */
export const loadNextActions = async (): Promise<FindNextActions> =>
  (await import('./next-actions/next-actions.ts')).nextActionsFinder(visibility)
