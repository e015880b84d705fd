import { basename } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longer than their size suggests, which is all that a fresh clone knows about them. */
const longest: ReadonlySet<string> = new Set(
  [
    ...['query-plans-postgres', 'package', 'one-board', 'attack', 'expressions', 'both-databases'],
    ...['liveness', 'under-load', 'query-processes'],
    ...['pages', 'german', 'delivery', 'drafts', 'base-path', 'faults', 'first-run'],
  ].map(name => `${name}.test.ts`),
)

const isLong = ({ moduleId }: TestSpecification): boolean => longest.has(basename(moduleId))

/** Begins each project with its longest files, so that none of them runs alone at the end, on one core. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = Map.groupBy(sorted, ({ project }) => project.name)
    return [...projects.values()].flatMap(own => own.toSorted((one, other) => +isLong(other) - +isLong(one)))
  }
}
