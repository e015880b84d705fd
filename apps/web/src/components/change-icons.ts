import type { IconName } from './icon.tsx'

/** The icons of the states of changes (git 10). */
export const changeIcons = {
  branch: 'branch',
  draft: 'draft',
  open: 'change',
  merged: 'merged',
  closed: 'close',
} as const satisfies Readonly<Record<string, IconName>>
