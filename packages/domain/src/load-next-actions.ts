import type { FindNextActions } from './kernel/next-action.ts'
import * as visibility from './visibility.ts'

/**
 * Loads the search for a refusal's next actions when it is first needed, because it knows the gates of every feature.
 */
export const loadNextActions = async (): Promise<FindNextActions> =>
  (await import('./next-actions/next-actions.ts')).nextActionsFinder(visibility)
