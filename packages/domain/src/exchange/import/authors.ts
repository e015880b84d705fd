import { externally } from '../../lib/external-names.ts'
import type { ExternalAuthor, NamedAgent } from '../archive/authors.ts'

/** Maps the authors in a file to authors here (exchange 1). */
export class Authors {
  /** Those that the board does not know yet. */
  readonly added: ExternalAuthor[] = []
  readonly #here: ReadonlySet<string>
  readonly #named: ReadonlyMap<string, NamedAgent>
  readonly #byId: Map<string, string>
  readonly #authors: Set<string>

  /**
   * @param here the agents of this service that the file may refer to by id
   * @param named the agents of the file, by id
   * @param external the external authors that the board has
   */
  constructor(here: ReadonlySet<string>, named: ReadonlyMap<string, NamedAgent>, external: readonly ExternalAuthor[]) {
    this.#here = here
    this.#named = named
    this.#byId = new Map(external.map(({ agent_id, author }) => [agent_id, author]))
    this.#authors = new Set(external.map(({ author }) => author))
  }

  /** The stored form of an author in the file. */
  of(id: string): string {
    if (this.#here.has(id)) return id
    const existing = this.#byId.get(id)
    if (existing !== undefined) return existing
    const { name, kind } = this.#named.get(id) ?? { name: null, kind: null }
    const author = this.#free(id.startsWith(externally) ? id : externally + (name ?? id))
    this.#byId.set(id, author)
    this.#authors.add(author)
    this.added.push({ author, agent_id: id, name, kind })
    return author
  }

  /** The same, for a file that may also refer to these agents by id. */
  with(agents: ReadonlySet<string>): Pick<Authors, 'of'> {
    return { of: id => (agents.has(id) ? id : this.of(id)) }
  }

  /** Two agents with the same name stay distinct. */
  #free(author: string): string {
    let free = author
    for (let number = 2; this.#authors.has(free); number++) free = `${author} (${number})`
    return free
  }
}
