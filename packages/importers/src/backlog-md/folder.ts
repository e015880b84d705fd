/** The files of a Backlog.md folder (exchange 2.1). */
import { commonFolders, type File, filesIn } from '../files.ts'
import type { Entry, Source } from '../neutral.ts'

/** The folders of tasks. */
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

/** The kind of a file in the folder; undefined for any other file. */
export const kindOf = (path: string): Kind | undefined => folders.find(([, pattern]) => pattern.test(path))?.[0]

const isTaskKind = (kind: Kind | undefined): boolean =>
  kind !== undefined && (/^(?:tasks|completed|drafts)$/.test(kind) || /^archive\/(?:tasks|drafts)$/.test(kind))

/** A folder with tasks. */
export interface BacklogFolder {
  /** Its path with `/`; empty for the root of the source. */
  readonly root: string
  readonly files: readonly File[]
  /** Its configuration, if that is next to the folder. */
  readonly config: Entry | undefined
  readonly tasks: number
}

/** Folders of tasks, within a Backlog.md folder. */
const taskFolder = /(?:archive\/)?(?:tasks|completed|drafts)\//g

/** All folders with a task that has front matter: those with Backlog.md's own name, otherwise all others. */
export function backlogFolders({ entries }: Source): BacklogFolder[] {
  const roots = new Set(entries.filter(hasTaskHead).flatMap(({ name }) => rootsOf(name ?? '')))
  const folders = [...roots].map(root => folderAt(root, entries)).filter(({ tasks }) => tasks > 0)
  const tops = ['', ...commonFolders(entries)]
  const ranked = Map.groupBy(folders, ({ root }) => rankOf(root, tops))
  return ranked.get(0) ?? ranked.get(1) ?? ranked.get(2) ?? []
}

/** The folders to which a file could belong as a task. */
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

/** Maximum number of lines of front matter that are searched. */
const headLines = 60

/** Whether a file begins with front matter that has an id, valid or not. */
function hasTaskHead({ name, text }: Entry): boolean {
  if (text === null || name === null || !/\.md$/i.test(name) || !text.startsWith('---')) return false
  return text.split('\n', headLines).some(line => /^id:\s*\S/.test(line))
}
