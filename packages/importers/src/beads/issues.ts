import type { Issue } from './issue.ts'

/** Types of records that agents' tools keep for themselves. */
const orchestrating: ReadonlySet<string> = new Set([
  'agent',
  'role',
  'rig',
  'convoy',
  'molecule',
  'message',
  'event',
  'gate',
  'merge-request',
])

/** Whether an issue is no work, but a record of the tools that do the work. */
export const isOrchestration = ({ isEphemeral, type }: Issue): boolean => isEphemeral || orchestrating.has(type)

/** The issues that are taken over, and how they stand within one another. */
export class Issues {
  readonly all: readonly Issue[]
  readonly #byId: ReadonlyMap<string, Issue>
  readonly #parents: ReadonlySet<string>

  constructor(all: readonly Issue[]) {
    this.all = all
    this.#byId = new Map(all.map(issue => [issue.id, issue]))
    this.#parents = new Set(all.flatMap(issue => this.parentOf(issue)?.id ?? []))
  }

  named(id: string): Issue | undefined {
    return this.#byId.get(id)
  }

  /** The id that an issue names as its parent's. */
  parentIdOf(issue: Issue): string | undefined {
    return issue.links.find(({ type }) => type === 'parent-child')?.depends_on_id ?? issue.parent ?? undefined
  }

  parentOf(issue: Issue): Issue | undefined {
    const id = this.parentIdOf(issue)
    return id === undefined || id === issue.id ? undefined : this.named(id)
  }

  /** An epic with children becomes a spec, everything else a card. */
  isSpec(issue: Issue): boolean {
    return issue.type === 'epic' && this.#parents.has(issue.id)
  }

  /** The nearest issue above that becomes a spec. */
  specAbove(issue: Issue): Issue | undefined {
    const passed = new Set([issue])
    let above = this.parentOf(issue)
    while (above !== undefined && !this.isSpec(above) && !passed.has(above)) {
      passed.add(above)
      above = this.parentOf(above)
    }
    return above !== undefined && this.isSpec(above) ? above : undefined
  }
}
