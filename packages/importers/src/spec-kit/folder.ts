/** The files of a Spec Kit project (exchange 2.4, imports 5). */
import { commonFolders, type File, filesIn } from '../files.ts'
import type { Entry, Source } from '../neutral.ts'

/** The files of one folder `specs/NNN-name`. */
export interface Feature {
  /** `NNN-name`. */
  readonly name: string
  /** By path below the folder. */
  readonly files: ReadonlyMap<string, Entry>
}

/** The files of a project. */
export interface Project {
  /** The folder that contains it, with `/`; empty for the root. */
  readonly root: string
  readonly features: readonly Feature[]
  readonly constitution: Entry | undefined
  readonly others: readonly Entry[]
}

/** A folder of `specs/`, also at the location of newer versions, or one that is imported on its own. */
const featurePath = /^(?<folder>(?:\.specify\/)?specs\/(?<name>\d[^/]+)|(?<alone>\d{3}-[^/]+))\/(?<path>.+)$/
const ownFile = /^(?:spec|plan|tasks)\.md$/
const constitutionPath = /^\.specify\/memory\/constitution\.md$/

/** The files of a project; undefined if there is none. */
export function projectIn({ entries }: Source): Project | undefined {
  for (const root of ['', ...commonFolders(entries)]) {
    const files = filesIn(entries, root)
    const features = featuresIn(files)
    const constitution = files.find(({ path }) => constitutionPath.test(path))?.entry
    if (features.length > 0 || constitution !== undefined) return projectOf(root, entries, features, constitution)
  }
  return undefined
}

/** The numbered folders with at least one file of the template. */
function featuresIn(files: readonly File[]): Feature[] {
  const features = new Map<string, { name: string; files: Map<string, Entry> }>()
  for (const { path, entry } of files) {
    const { folder, name, alone, path: below } = featurePath.exec(path)?.groups ?? {}
    if (folder === undefined || below === undefined || !/[-_]/.test(name ?? alone ?? '')) continue
    const feature = features.get(folder) ?? { name: (name ?? alone)!, files: new Map() }
    features.set(folder, feature)
    feature.files.set(below, entry)
  }
  return [...features.values()].filter(({ files: own }) => [...own.keys()].some(path => ownFile.test(path)))
}

function projectOf(
  root: string,
  entries: readonly Entry[],
  features: readonly Feature[],
  constitution: Entry | undefined,
): Project {
  const recognized = new Set<Entry | undefined>([constitution, ...features.flatMap(({ files }) => [...files.values()])])
  return { root, features, constitution, others: entries.filter(entry => !recognized.has(entry)) }
}
