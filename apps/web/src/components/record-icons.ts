import type { IconName } from './icon.tsx'

/** The icon of each kind of record that is found by its words. */
export const recordIcons: Readonly<Record<string, IconName>> = {
  ideation: 'idea',
  refinement: 'refinement',
  spec: 'file',
  sprint: 'flag',
  card: 'board',
  architecture: 'shapes',
  knowledge: 'graph',
  comment: 'comment',
  question: 'question',
  change: 'change',
}
