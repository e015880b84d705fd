/** Which files a Backlog.md folder has (exchange 2.1). */
import { commonFolders, type File, filesIn } from '../files.ts'
import type { Entry, Source } from '../neutral.ts'

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

const isTaskKind = (kind: Kind | undefined): boolean =>
  kind !== undefined && (/^(?:tasks|completed|drafts)$/.test(kind) || /^archive\/(?:tasks|drafts)$/.test(kind))

/** A folder that has tasks. */
export interface BacklogFolder {
  /** Its path with `/`; empty for the root of the source. */
  readonly root: string
  readonly files: readonly File[]
  /** Its configuration where it stands beside the folder. */
  readonly config: Entry | undefined
  readonly tasks: number
}

/** Folders of tasks, as they stand below one of Backlog.md. */
const taskFolder = /(?:archive\/)?(?:tasks|completed|drafts)\//g

/** All folders that have a task with a head: those called as Backlog.md calls them, else all others. */
export function backlogFolders({ entries }: Source): BacklogFolder[] {
  const roots = new Set(entries.filter(hasTaskHead).flatMap(({ name }) => rootsOf(name ?? '')))
  const folders = [...roots].map(root => folderAt(root, entries)).filter(({ tasks }) => tasks > 0)
  const tops = ['', ...commonFolders(entries)]
  const ranked = Map.groupBy(folders, ({ root }) => rankOf(root, tops))
  return ranked.get(0) ?? ranked.get(1) ?? ranked.get(2) ?? []
}

/** The folders that a file could be a task of. */
const rootsOf = (name: string): string[] => {
  const [first] = name.matchAll(taskFolder)
  const isWholeName = first !== undefined && (first.index === 0 || name[first.index - 1] === '/')
  return isWholeName ? [name.slice(0, first.index)] : []
}

function rankOf(root: string, tops: readonly string[]): number {
  const isCalledSo = /(?:^|\/)\.?backlog\/$/.test(root)
  if (isCalledSo && tops.some(top => root === `${top}backlog/` || root === `${top}.backlog/` || root === top)) return 0
  return isCalledSo || tops.includes(root) ? 1 : 2
}

function folderAt(root: string, entries: readonly Entry[]): BacklogFolder {
  const files = filesIn(entries, root)
  const above = root.slice(0, root.lastIndexOf('/', root.length - 2) + 1)
  const config = entries.find(({ name }) => name === `${above}backlog.config.yml`)
  const tasks = files.filter(({ path, entry }) => isTaskKind(kindOf(path)) && hasTaskHead(entry)).length
  return { root, files, config, tasks }
}

/** Lines of a head that are looked through. */
const headLines = 60

/** Whether a file begins with a head that has an id, readable or not. */
export function hasTaskHead({ name, text }: Entry): boolean {
  if (text === null || name === null || !/\.md$/i.test(name) || !text.startsWith('---')) return false
  return text.split('\n', headLines).some(line => /^id:\s*\S/.test(line))
}
