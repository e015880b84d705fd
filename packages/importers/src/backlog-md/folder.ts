/** Which files a Backlog.md folder has (exchange 2.1). */

import { filesBelow } from '../files.ts'
import type { Source } from '../neutral.ts'

/** The places of tasks. */
export type TaskFolder = 'tasks' | 'completed' | 'drafts' | 'archive/tasks' | 'archive/drafts'

export type Kind = TaskFolder | 'milestones' | 'archive/milestones' | 'decisions' | 'docs' | 'config'

const folders: readonly (readonly [Kind, RegExp])[] = [
  ['tasks', /^tasks\/.*\.md$/i],
  ['completed', /^completed\/.*\.md$/i],
  ['drafts', /^drafts\/.*\.md$/i],
  ['archive/tasks', /^archive\/tasks\/.*\.md$/i],
  ['archive/drafts', /^archive\/drafts\/.*\.md$/i],
  ['milestones', /^milestones\/.*\.md$/i],
  ['archive/milestones', /^archive\/milestones\/.*\.md$/i],
  ['decisions', /^decisions\/.*\.md$/i],
  ['docs', /^docs\/./],
  ['config', /^config\.ya?ml$/],
]

/** What a file of the folder is; undefined for what has no place in one. */
export const kindOf = (path: string): Kind | undefined => folders.find(([, pattern]) => pattern.test(path))?.[0]

/** The files of the folder that has tasks. */
export const backlogFiles = (source: Source) =>
  filesBelow(source, ['backlog/', '.backlog/', ''], path => /^(?:tasks|completed|drafts)$/.test(kindOf(path) ?? ''))
