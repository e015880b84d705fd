import type { MappedWord, NeutralCard, SourcePlace } from '../neutral.ts'
import type { MappedField, Mapping } from './mapping.ts'
import { plain } from './plain.ts'
import { type Priority, priorities, type Severity, type Status, severities, statuses } from './tables.ts'

/** Words with a meaning in only one tool, such as numbers of priorities, by their `plain` form. */
export type OwnWords<Value extends string> = ReadonlyMap<string, Value>

/** A word that was read, and its first place. */
export interface CountedWord extends MappedWord {
  readonly place: SourcePlace
}

/** Maps words of the source to this service's, and counts them: the caller's mapping takes precedence (imports 4). */
export class Words {
  readonly mapping: Mapping
  readonly #counted = new Map<string, CountedWord>()

  constructor(mapping: Mapping) {
    this.mapping = mapping
  }

  /** The status that a word means; not_started without a word. */
  status(word: string | null, place: SourcePlace, own?: OwnWords<Status>): Status {
    return this.statusIn(word, place, own) ?? 'not_started'
  }

  /** The same; undefined without a word and for an unknown one, which is then read as not_started. */
  statusIn(word: string | null, place: SourcePlace, own?: OwnWords<Status>): Status | undefined {
    return this.#read('status', word, place, [own, statuses], 'not_started')
  }

  /** The priority that a word means; `none` without a word. */
  priority(word: string | null, place: SourcePlace, own?: OwnWords<Priority>): Priority {
    return this.#read('priority', word, place, [own, priorities], 'none') ?? 'none'
  }

  /** The severity that a word means; null without one. */
  severity(word: string | null, place: SourcePlace, own?: OwnWords<Severity>): Severity | null {
    return this.#read('severity', word, place, [own, severities], 'none') ?? null
  }

  /**
   * The type of card for a word in the mapping; `normal` without one, because the gates for bugs only make sense for
   * bugs that were created here.
   */
  cardType(word: string | null, place: SourcePlace): NeutralCard['card_type'] {
    const mapped = word === null ? undefined : this.mapping.valueOf('type', word)
    if (mapped !== undefined) this.#count('type', word!, mapped, 'mapping', place)
    return mapped ?? 'normal'
  }

  /** All words that were read, as they were first spelt. */
  get counted(): readonly CountedWord[] {
    return [...this.#counted.values()]
  }

  /** The mapped words that do not occur in the source. */
  get unused(): readonly { readonly field: MappedField; readonly word: string }[] {
    return (['status', 'priority', 'type', 'severity'] as const).flatMap(field =>
      this.mapping
        .words(field)
        .filter(word => !this.#counted.has(`${field} ${word}`))
        .map(word => ({ field, word })),
    )
  }

  #read<Field extends 'status' | 'priority' | 'severity', Value extends string>(
    field: Field,
    word: string | null,
    place: SourcePlace,
    tables: readonly (ReadonlyMap<string, Value> | undefined)[],
    otherwise: string,
  ): Value | undefined {
    if (word === null || word.trim() === '') return undefined
    const mapped = this.mapping.valueOf(field, word) as Value | undefined
    const name = plain(word)
    const found = mapped ?? tables.map(table => table?.get(name)).find(value => value !== undefined)
    this.#count(field, word, found ?? otherwise, mapped !== undefined ? 'mapping' : found ? 'table' : 'default', place)
    return found
  }

  #count(field: MappedField, word: string, value: string, by: MappedWord['by'], place: SourcePlace): void {
    const key = `${field} ${plain(word)}`
    const before = this.#counted.get(key)
    const first = before ?? { field, word: word.trim().slice(0, 200), value, count: 0, by, place }
    this.#counted.set(key, { ...first, count: first.count + 1 })
  }
}
