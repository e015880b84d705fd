import { isId } from '../../lib/ids.ts'
import type { Column } from '../kinds/columns.ts'
import { type RecordType, recordTypes } from '../kinds/kinds.ts'
import { mayContainIds, withTexts } from '../kinds/members.ts'
import { UuidTable } from './uuid-table.ts'

/** The kinds of things in a file with an id of their own. */
export type IdKind = RecordType | 'event'

/** The tag of each kind in the table. */
const tags: ReadonlyMap<string, number> = new Map([...recordTypes, 'event'].map((kind, tag) => [kind, tag]))

/** An id within a longer text is found only if it has no more words than this: it is looked for at every word. */
const maxWordsOfId = 8

/** Maps the ids of a file to those used here. */
export class Ids {
  readonly #uuids: UuidTable
  /** By kind and id: those that are not UUIDs, or that map to several. */
  readonly #others = new Map<string, string>()
  readonly #otherById = new Map<string, string>()
  /** The number of words of the longest of the other ids, up to the limit. */
  #otherWords = 1
  readonly #gone = new Set<string>()
  /** The ids that left-out records had here. */
  readonly #goneById = new Map<string, string>()
  readonly #assigned: Ids | undefined
  /** Whether any id is mapped to another one. */
  #isRenaming = false

  /**
   * @param expected the expected number of ids
   * @param assigned the ids from an earlier reading of the file: records refer to others that come after them
   */
  constructor(expected: number, assigned?: Ids) {
    this.#uuids = new UuidTable(expected)
    this.#assigned = assigned
  }

  /** The id here of a record that was read before; undefined for any other. */
  of(kind: string, id: string): string | undefined {
    const tag = tags.get(kind)
    if (tag !== undefined && this.#uuids.has(id, tag)) return this.#uuids.get(id)
    return this.#others.get(`${kind} ${id}`)
  }

  /** The id that this reading, or an earlier one, gave to a record. */
  assigned(kind: string, id: string): string | undefined {
    return this.of(kind, id) ?? this.#assigned?.of(kind, id)
  }

  /** Sets the id of a record here. */
  set(kind: IdKind, id: string, here: string): void {
    if (id !== here) this.#isRenaming = true
    if (this.#uuids.add(id, here, tags.get(kind)!)) return
    this.#others.set(`${kind} ${id}`, here)
    if (!this.#otherById.has(id)) this.#otherById.set(id, here)
    this.#otherWords = Math.min(maxWordsOfId, Math.max(this.#otherWords, wordsIn(id).length))
  }

  /** The ids here of all records of the file that were read. */
  here(): Set<string> {
    return new Set([...this.#uuids.values(), ...this.#others.values()])
  }

  /** The ids here of records of the file that are left out, although they came before. */
  leftHere(): Iterable<string> {
    return this.#goneById.values()
  }

  /**
   * Marks a record of the file as left out.
   * @param before the id that it had here
   */
  leave(kind: IdKind, id: string, before?: string): void {
    this.#gone.add(`${kind} ${id}`)
    if (before === undefined) return
    if (id !== before) this.#isRenaming = true
    this.#goneById.set(id, before)
  }

  /** Whether any record of the file is left out. */
  get hasLeft(): boolean {
    return this.#gone.size > 0
  }

  /** Whether a record of the file is left out. */
  isLeft(kind: string, id: string): boolean {
    return this.#gone.size > 0 && this.#gone.has(`${kind} ${id}`)
  }

  /** Whether a kind has a record with this id. */
  has(kind: IdKind, id: string): boolean {
    return this.of(kind, id) !== undefined || this.isLeft(kind, id)
  }

  /** Whether any id of the file is mapped to another one. */
  get isRenaming(): boolean {
    return this.#isRenaming || this.#assigned?.isRenaming === true
  }

  /** The value of a column with the ids of other records in it replaced. */
  within({ namesInside }: Column, value: unknown): unknown {
    if (namesInside === undefined || value === null || !this.isRenaming) return value
    if (typeof value === 'string') return this.inReference(value)
    if (Array.isArray(value) && value.every(item => typeof item === 'string')) return value.map(id => this.any(id))
    return withTexts(value, (name, text) => {
      if (mayContainIds(name)) return this.inReference(text)
      // The id of an item, such as `T004`, may be that of a record of another tool by chance; a UUID is not.
      return name === 'id' && isId(text) ? this.any(text) : text
    })
  }

  /**
   * A text with the ids of records in it replaced, as in a reference of the graph: the whole text if it is one,
   * otherwise those among its words. An id of several words, such as `001-photo/T004`, takes precedence over the ids
   * within it.
   */
  inReference(text: string): string {
    const whole = this.find(text)
    if (whole !== undefined) return whole
    const words = wordsIn(text)
    const max = this.maxWords
    let replaced = ''
    let at = 0
    for (let first = 0; first < words.length; ) {
      const { id, count } = this.#longest(text, words.slice(first, first + max))
      const { start } = words[first]!
      const { end } = words[first + count - 1]!
      replaced += text.slice(at, start) + (id ?? text.slice(start, end))
      at = end
      first += count
    }
    return replaced + text.slice(at)
  }

  /** The id here of a record of any kind; an id that is not in the file is unchanged. */
  any(id: string): string {
    return this.find(id) ?? id
  }

  /** The same; undefined for an id that is not in the file. */
  find(id: string): string | undefined {
    return this.#uuids.get(id) ?? this.#otherById.get(id) ?? this.#goneById.get(id) ?? this.#assigned?.find(id)
  }

  /** How many words of a text are looked up together. */
  get maxWords(): number {
    return Math.max(this.#otherWords, this.#assigned?.maxWords ?? 1)
  }

  /**
   * The id here of the record whose name starts with the first of some words and matches as many of them as possible.
   */
  #longest(text: string, words: readonly Word[]): { readonly id?: string; readonly count: number } {
    for (let count = words.length; count > 0; count--) {
      const id = this.find(text.slice(words[0]!.start, words[count - 1]!.end))
      if (id !== undefined) return { id, count }
    }
    return { count: 1 }
  }
}

/** The position of a word in a text. */
interface Word {
  readonly start: number
  readonly end: number
}

const wordsIn = (text: string): Word[] =>
  Array.from(text.matchAll(/[\w-]+/g), ({ index, 0: word }) => ({ start: index, end: index + word.length }))
