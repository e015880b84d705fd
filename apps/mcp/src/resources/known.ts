import { type Authors, authorsOf, namesOf } from '@specboard/domain'
import type { Reader } from '../calls/reader.ts'
import { idsIn, renamed } from '../calls/with-names.ts'
import type { Origin } from './page.ts'

/** The origin of a text whose author is unknown (crew 9.9). */
const unknown: Origin = { by: null, at: null }

/**
 * Finds who wrote an item of a list, by the item's id; without an id, for an item that has none or for the whole list.
 */
export type OriginOf = (item?: string) => Origin

/** The names that a page shows in place of ids, and the authors of its record's texts (crew 8.8, 9.9). */
export class KnownNames {
  readonly #names: ReadonlyMap<string, string>
  readonly #authors: Authors
  readonly #caller: string

  private constructor(names: ReadonlyMap<string, string>, authors: Authors, caller: string) {
    this.#names = names
    this.#authors = authors
    this.#caller = caller
  }

  /**
   * Reads the names of everything that a page shows, and the authors of its record's texts.
   * @param contents the contents of the page, in which ids are looked for
   */
  static async of(reader: Reader, recordId: string, ...contents: readonly unknown[]): Promise<KnownNames> {
    const { names, authors } = await reader.read(async db => {
      const authors = await authorsOf(db, recordId)
      return { names: await namesOf(db, idsIn(contents)), authors }
    })
    return new KnownNames(names, authors, reader.caller.id)
  }

  /** A part of a page with references and names in place of ids. */
  applyTo<Value>(value: Value): Value {
    return renamed(value, this.#names) as Value
  }

  /** The reference of a record or the name of an agent; for anything else the id itself. */
  name<Id extends string | null | undefined>(id: Id): Id | string {
    return typeof id === 'string' ? (this.#names.get(id) ?? id) : id
  }

  /** An agent, as shown to the reader. */
  who(id: string | null | undefined): string | undefined {
    if (id == null) return undefined
    return id === this.#caller ? 'you' : this.name(id)
  }

  /** Who last wrote a text of the record: a field, or an item of one of its lists. */
  origin(field: string, item?: string): Origin {
    const { byField, creator } = this.#authors
    const author = byField.get(`${field}.${item}`) ?? byField.get(field) ?? creator
    return author === null ? unknown : { by: author.name, kind: author.kind, at: author.at }
  }

  /** Who last wrote an item of a list. */
  originIn(list: string): OriginOf {
    return item => this.origin(list, item)
  }
}
