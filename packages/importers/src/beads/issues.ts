import type { Issue } from './issue.ts'

/** Types of records that agents' tools keep for their own use. */
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

/** Whether an issue is a record of the orchestration tools instead of work. */
export const isOrchestration = ({ isEphemeral, type }: Issue): boolean => isEphemeral || orchestrating.has(type)

/** The issues that are imported, and their hierarchy. */
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

  /** The id of an issue's parent. */
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

  /** The nearest ancestor that becomes a spec. */
  specAbove(issue: Issue): Issue | undefined {
    const visited = new Set([issue])
    let above = this.parentOf(issue)
    while (above !== undefined && !this.isSpec(above) && !visited.has(above)) {
      visited.add(above)
      above = this.parentOf(above)
    }
    return above !== undefined && this.isSpec(above) ? above : undefined
  }
}
