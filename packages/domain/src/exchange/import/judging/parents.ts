import type { Column } from '../../kinds/columns.ts'
import { kindOf } from '../../kinds/kinds.ts'
import { namedBy } from '../named.ts'
import type { SourceRecord } from '../source.ts'
import type { JudgingParts } from './judging.ts'

/** Tells which records that others belong to are left out. */
export class Parents {
  readonly #judging: JudgingParts

  constructor(judging: JudgingParts) {
    this.#judging = judging
  }

  /** The record that this one belongs to; undefined unless that record is left out. */
  gone(record: SourceRecord): string | undefined {
    const { type, fields } = record
    if (type === 'history') return this.#untold(record)
    for (const [name, { names }] of Object.entries(kindOf.get(type)!.columns)) {
      if (names === undefined || names.optional) continue
      const kind = 'kind' in names ? names.kind : String(fields[names.kindIn])
      if (this.#judging.naming.ids.isLeft(kind, String(fields[name]))) return `The ${kind} ${String(fields[name])}`
    }
    return undefined
  }

  /**
   * The record that an entry is about, if it never existed here: with new ids, the entry would be about the record that
   * it was copied from.
   */
  #untold(entry: SourceRecord): string | undefined {
    const { keeps, naming } = this.#judging
    const away = keeps
      ? undefined
      : namedBy(entry).find(({ kind, id }) => naming.ids.isLeft(kind, id) && naming.ids.find(id) === undefined)
    return away && `The ${away.kind} ${away.id}`
  }

  /** Reports the optional parents of a record that were deleted here: it is imported without them. */
  tellLost(record: SourceRecord): void {
    const { tally } = this.#judging
    for (const [name, column] of Object.entries(kindOf.get(record.type)!.columns)) {
      const parent = this.lost(column, record.fields[name])
      if (parent !== undefined)
        tally.problem(record, 'changed', `It is imported without ${parent}, which was deleted here`)
    }
  }

  /** The record that an optional reference leads to, if it was deleted here. */
  lost({ names }: Column, value: unknown): string | undefined {
    if (names?.optional === undefined || !('kind' in names)) return undefined
    return this.#judging.naming.ids.isLeft(names.kind, String(value)) ? `the ${names.kind} ${String(value)}` : undefined
  }
}
