import type { PrincipalKind } from '@specboard/contract'
import type { z } from 'zod'
import { externally, shownName } from '../../lib/external-names.ts'
import type { WrittenColumn } from '../kinds/forms.ts'
import { withTexts } from '../kinds/members.ts'

/** A principal as a line of agents.jsonl names it; null if the file does not give its kind (people 1.5). */
export interface NamedAgent {
  readonly name: string
  readonly kind: z.output<typeof PrincipalKind> | null
}

/** An author as named in a file: a name, or an id that no line of agents.jsonl explains. */
export interface ExternalAuthor {
  readonly author: string
  readonly agent_id: string
  readonly name: string | null
  /** The kind that the file claims. */
  readonly kind: NamedAgent['kind']
}

/** The agents that the records of an export name, each with its name, and those of other services unchanged. */
export class NamedAgents {
  readonly #external: ReadonlyMap<string, ExternalAuthor>
  readonly #here: (id: string) => NamedAgent | undefined
  readonly #named = new Map<string, NamedAgent>()

  constructor(external: readonly ExternalAuthor[], here: (id: string) => NamedAgent | undefined) {
    this.#external = new Map(external.map(entry => [entry.author, entry]))
    this.#here = here
  }

  /** An author in the form used in archives. */
  exported(author: string): string {
    const external = this.#external.get(author)
    const id = external?.agent_id ?? author
    if (this.#named.has(id)) return id
    const named = external === undefined ? this.#namedBy(author) : namedIn(external)
    if (named !== undefined) this.#named.set(id, named)
    return id
  }

  #namedBy(author: string): NamedAgent | undefined {
    return author.startsWith(externally) ? { name: shownName(author), kind: null } : this.#here(author)
  }

  /** The lines of agents.jsonl, by id. */
  get lines(): { readonly id: string; readonly name: string; readonly kind?: string }[] {
    return [...this.#named]
      .map(([id, { name, kind }]) => ({ id, name, ...(kind !== null && { kind }) }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  }
}

const namedIn = ({ name, kind }: ExternalAuthor): NamedAgent | undefined => (name === null ? undefined : { name, kind })

/** The value of a column with each author in it replaced. */
export function withAuthors(column: WrittenColumn, value: unknown, change: (author: string) => string): unknown {
  if (column.isAuthor) return typeof value === 'string' ? change(value) : value
  const { authorsIn } = column
  if (authorsIn === undefined || value === null) return value
  return withTexts(value, (name, text) => (authorsIn.includes(name) ? change(text) : text))
}
