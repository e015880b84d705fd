import type { Written } from '../kinds/forms.ts'
import { withTexts } from '../kinds/members.ts'

/** The prefix for an author who is not an agent here. */
export const externally = 'external:'

/** An author as named in a file: a name, or an id that no line of agents.jsonl explains. */
export interface ExternalAuthor {
  readonly author: string
  readonly agent_id: string
  readonly name: string | null
}

/** The agents that the records of an export name, each with its name, and those of other services unchanged. */
export class NamedAgents {
  readonly #external: ReadonlyMap<string, ExternalAuthor>
  readonly #names: (id: string) => string | undefined
  readonly #named = new Map<string, string>()

  constructor(external: readonly ExternalAuthor[], names: (id: string) => string | undefined) {
    this.#external = new Map(external.map(entry => [entry.author, entry]))
    this.#names = names
  }

  /** An author in the form used in archives. */
  exported(author: string): string {
    const external = this.#external.get(author)
    const id = external?.agent_id ?? author
    if (this.#named.has(id)) return id
    const name = external === undefined ? this.#nameOf(author) : external.name
    if (name !== null && name !== undefined) this.#named.set(id, name)
    return id
  }

  #nameOf(author: string): string | undefined {
    return author.startsWith(externally) ? author.slice(externally.length) : this.#names(author)
  }

  /** The lines of agents.jsonl, by id. */
  get lines(): { readonly id: string; readonly name: string }[] {
    return [...this.#named].map(([id, name]) => ({ id, name })).sort((a, b) => (a.id < b.id ? -1 : 1))
  }
}

/** The value of a column with each author in it replaced. */
export function withAuthors(column: Written, value: unknown, change: (author: string) => string): unknown {
  if (column.isAuthor) return typeof value === 'string' ? change(value) : value
  const { authorsIn } = column
  if (authorsIn === undefined || value === null) return value
  return withTexts(value, (name, text) => (authorsIn.includes(name) ? change(text) : text))
}
