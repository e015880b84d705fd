/** Which files a Spec Kit project has (exchange 2.4). */
import { type File, filesBelow } from '../files.ts'
import type { Entry, Source } from '../neutral.ts'

/** The files of one folder `specs/NNN-name`. */
export interface Feature {
  /** `NNN-name`. */
  readonly name: string
  /** By their paths below the folder. */
  readonly files: ReadonlyMap<string, Entry>
}

const featurePath = /^specs\/(?<name>\d+-[^/]+)\/(?<path>.+)$/
const constitutionPath = /^\.specify\/memory\/constitution\.md$/

/** The files of a project, sorted; undefined if it is none. */
export function projectIn(
  source: Source,
): { features: Feature[]; constitution: Entry | undefined; others: Entry[] } | undefined {
  const found = filesBelow(source, [''], path => featurePath.test(path) || constitutionPath.test(path))
  if (found === undefined) return undefined
  const nameOf = ({ path }: File): string => featurePath.exec(path)?.groups?.name ?? ''
  const byFeature = Map.groupBy(found.inside, nameOf)
  const elsewhere = byFeature.get('') ?? []
  byFeature.delete('')
  return {
    features: [...byFeature].map(([name, files]) => ({
      name,
      files: new Map(files.map(({ path, entry }) => [featurePath.exec(path)!.groups!.path!, entry])),
    })),
    constitution: elsewhere.find(({ path }) => constitutionPath.test(path))?.entry,
    others: [
      ...elsewhere.filter(({ path }) => !constitutionPath.test(path)).map(({ entry }) => entry),
      ...found.beside,
    ],
  }
}
