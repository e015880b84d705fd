import type { Column } from '../kinds/columns.ts'
import { mayName, withTexts } from '../kinds/members.ts'

/** What the ids of a file are here. */
export class Ids {
  readonly #byKind = new Map<string, string>()
  readonly #byId = new Map<string, string>()
  readonly #gone = new Set<string>()
  readonly #assigned: Ids | undefined

  /** @param assigned what an earlier reading of the file found: records name others that come after them */
  constructor(assigned?: Ids) {
    this.#assigned = assigned
  }

  /** The id of a record that was read before; undefined of any other. */
  of(kind: string, id: string): string | undefined {
    return this.#byKind.get(`${kind} ${id}`)
  }

  /** The id that an earlier reading gave to a record. */
  assigned(kind: string, id: string): string | undefined {
    return this.#assigned?.of(kind, id)
  }

  /** Says what the id of a record is here. */
  set(kind: string, id: string, here: string): void {
    this.#byKind.set(`${kind} ${id}`, here)
    if (!this.#byId.has(id)) this.#byId.set(id, here)
  }

  /** The ids here of all records of the file that were read. */
  here(): Set<string> {
    return new Set(this.#byKind.values())
  }

  /** Says that a record of the file is not here and stays away. */
  leave(kind: string, id: string): void {
    this.#gone.add(`${kind} ${id}`)
  }

  /** Whether a record of the file stays away. */
  isLeft(kind: string, id: string): boolean {
    return this.#gone.has(`${kind} ${id}`)
  }

  /** Whether a kind has a record with this id. */
  has(kind: string, id: string): boolean {
    return this.#byKind.has(`${kind} ${id}`) || this.#gone.has(`${kind} ${id}`)
  }

  /** The value of a column with the ids of other records in it replaced. */
  within({ namesInside }: Column, value: unknown): unknown {
    if (namesInside === undefined || value === null) return value
    if (typeof value === 'string') return this.inReference(value)
    if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.map(id => this.any(id))
    return withTexts(value, (name, text) => (mayName(name) ? this.inReference(text) : text))
  }

  /** A text with each word in it that is the id of a record replaced, as in a reference of the graph. */
  inReference(text: string): string {
    return text.replaceAll(/[\w-]+/g, word => this.any(word))
  }

  /** The id here of a record of any kind; one that is none of the file stays what it is. */
  any(id: string): string {
    return this.#byId.get(id) ?? this.#assigned?.any(id) ?? id
  }
}
