/** The files of an OpenSpec project (imports 5). */
import { commonFolders, type File, filesIn } from '../files.ts'
import type { Entry, Source } from '../neutral.ts'

/** The spec of a capability, `specs/<name>/spec.md`; names may have folders. */
export interface Capability {
  readonly name: string
  readonly entry: Entry
}

/** A folder of a change. */
export interface Change {
  /** Without the archive's date prefix; a later one of the same name has a number. */
  readonly id: string
  readonly name: string
  /** The date of archiving in the folder name; null if it is not archived. */
  readonly archivedOn: string | null
  readonly isArchived: boolean
  /** Whether it is in `changes/proposed/`, `changes/approved/`, or neither. */
  readonly stage: 'proposed' | 'approved' | null
  /** By path below the folder. */
  readonly files: ReadonlyMap<string, Entry>
}

export interface Project {
  /** The folder that contains it, with `/`; empty for the root. */
  readonly root: string
  readonly capabilities: readonly Capability[]
  readonly changes: readonly Change[]
  /** `project.md` and `config.yaml`, which apply to all changes. */
  readonly rules: readonly File[]
}

const specPath = /^specs\/(?<name>[^/].*)\/spec\.md$/
const changePath = /^changes\/(?:(?<stage>proposed|approved|archive)\/)?(?<folder>[^/]+)\/(?<path>.+)$/
const dated = /^(?<date>\d{4}-\d\d-\d\d)-(?<name>.+)$/
const rulePath = /^(?:project\.md|config\.ya?ml)$/

/**
 * The projects in the outermost `openspec/` folders; without such folders, the project that the source itself consists
 * of.
 */
export function projectsIn({ entries }: Source): Project[] {
  const projects = rootsIn(entries).flatMap(root => {
    const files = filesIn(entries, root)
    const isNamed = /(?:^|\/)openspec\/$/.test(root)
    return files.some(({ path, entry }) => isOwn(path, entry, isNamed)) ? [projectOf(root, files)] : []
  })
  const named = projects.filter(({ root }) => root.endsWith('openspec/'))
  const depths = named.map(({ root }) => root.split('/').length)
  return named.length > 0 ? named.filter((_, at) => depths[at] === Math.min(...depths)) : projects.slice(0, 1)
}

function rootsIn(entries: readonly Entry[]): string[] {
  const named = entries.flatMap(({ name }) => {
    const at = `/${name ?? ''}`.indexOf('/openspec/')
    return at === -1 ? [] : [name!.slice(0, at + 'openspec/'.length)]
  })
  return [...new Set([...named, '', ...commonFolders(entries)])]
}

/** Whether a file is specific to OpenSpec; outside of a folder of that name its content decides. */
function isOwn(path: string, { text }: Entry, isNamed: boolean): boolean {
  if (/^changes\/(?:.+\/)?(?:proposal|tasks|design)\.md$/.test(path)) return isNamed || path.endsWith('/proposal.md')
  return specPath.test(path) && (isNamed || /^### Requirement:/m.test(text ?? ''))
}

function projectOf(root: string, files: readonly File[]): Project {
  const capabilities = files.flatMap(({ path, entry }) => {
    const name = specPath.exec(path)?.groups?.name
    return name === undefined ? [] : [{ name, entry }]
  })
  return { root, capabilities, changes: changesIn(files), rules: files.filter(({ path }) => rulePath.test(path)) }
}

function changesIn(files: readonly File[]): Change[] {
  const byFolder = new Map<string, { stage: string | undefined; folder: string; files: Map<string, Entry> }>()
  for (const { path, entry } of files) {
    const { stage, folder, path: below } = changePath.exec(path)?.groups ?? {}
    if (folder === undefined || below === undefined) continue
    const key = `${stage ?? ''}/${folder}`
    const found = byFolder.get(key) ?? { stage, folder, files: new Map() }
    byFolder.set(key, found)
    found.files.set(below, entry)
  }
  const changes = [...byFolder.values()].map(({ stage, folder, files: own }) => {
    const isArchived = stage === 'archive'
    const { date = null, name = folder } = (isArchived && dated.exec(folder)?.groups) || {}
    return { name, archivedOn: date, isArchived, stage: stageOf(stage), files: own }
  })
  return [...Map.groupBy(changes, ({ name }) => name)].flatMap(([name, same]) =>
    same.toSorted(byAge).map((change, at) => ({ ...change, id: at === 0 ? name : `${name}~${at + 1}` })),
  )
}

const stageOf = (stage: string | undefined): Change['stage'] =>
  stage === 'proposed' || stage === 'approved' ? stage : null

/** Archived changes come first, oldest first, so that a new change does not take the id of an old one. */
const byAge = (a: Pick<Change, 'archivedOn' | 'isArchived'>, b: Pick<Change, 'archivedOn' | 'isArchived'>): number =>
  Number(b.isArchived) - Number(a.isArchived) || (a.archivedOn ?? '').localeCompare(b.archivedOn ?? '')
