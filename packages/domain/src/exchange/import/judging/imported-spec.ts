import { existingRows, knownBy } from '../known.ts'
import type { SourceRecord } from '../source.ts'
import type { Creations } from './creations.ts'
import type { JudgedRecord, JudgingParts } from './judging.ts'
import { type BatchLookup, emptyLookup } from './lookup.ts'

/** Finds a spec for cards of other tools whose own spec was deleted here. */
export class ImportedSpec {
  readonly #judging: JudgingParts
  readonly #creations: Creations

  constructor(judging: JudgingParts, creations: Creations) {
    this.#judging = judging
    this.#creations = creations
  }

  /**
   * A card of another tool whose spec was deleted here, moved to the spec "Imported", and that spec if it must be
   * created: cards of such tools have a spec.
   */
  async housed(
    record: SourceRecord,
    { known }: BatchLookup,
  ): Promise<{ readonly record: SourceRecord; readonly spec?: JudgedRecord }> {
    const { naming, source, tally } = this.#judging
    const parent = String(record.fields.spec_id)
    const isLost = record.type === 'card' && naming.ids.isLeft('spec', parent)
    if (!isLost || source.imported === undefined || known.has(record.id)) return { record }
    const { id, judged } = await this.#importedSpec(source.imported(record.place))
    tally.problem(record, 'changed', `Its spec ${parent} is not here; the card goes into the spec "Imported"`)
    const housed = { ...record, fields: { ...record.fields, spec_id: id } }
    return judged === undefined ? { record: housed } : { record: housed, spec: judged }
  }

  /** The spec "Imported" of this file or of an earlier import; created if there is none, or if it was deleted here. */
  async #importedSpec(spec: SourceRecord): Promise<{ readonly id: string; readonly judged?: JudgedRecord }> {
    const { naming, source, target, tally, read } = this.#judging
    for (let number = 1; ; number++) {
      const id = number === 1 ? spec.id : `${spec.id}~${number}`
      if (naming.ids.isLeft('spec', id)) continue
      if (naming.ids.has('spec', id)) return { id }
      const lastImport = await read(async ({ db }) => (await knownBy(db, target.boardId, source.format, [id])).get(id))
      if (lastImport === undefined) {
        tally.count('spec', 'created')
        return { id, judged: this.#creations.create({ ...spec, id }, emptyLookup) }
      }
      const here = lastImport.entity_id
      const row = await read(async ({ db }) => (await existingRows(db, target.boardId, 'spec', [here])).get(here))
      if (row?.board_id === target.boardId) {
        naming.ids.set('spec', id, here)
        return { id }
      }
      naming.ids.leave('spec', id)
    }
  }
}
