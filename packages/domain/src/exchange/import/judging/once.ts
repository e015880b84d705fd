import { nameKeyOf } from '../../../delivery/git/repositories.ts'
import { type FilePosition, refused } from '../refused.ts'
import type { Row } from '../rows.ts'
import type { SourceRecord } from '../source.ts'
import { partOf } from './facts.ts'
import type { JudgingParts } from './judging.ts'

/** Checks what may occur only once in a file: ids of parts, names, versions, sequences. */
export class Once {
  readonly #judging: JudgingParts
  readonly #unique = new Set<string>()
  readonly #sequences = new Set<number>()

  constructor(judging: JudgingParts) {
    this.#judging = judging
  }

  /**
   * Notes a log entry.
   * @throws DomainError VALIDATION_ERROR if it was read before, or the history of its record contradicts it
   */
  refuseEntry({ id, place, fields }: SourceRecord): void {
    const { ids } = this.#judging.naming
    if (ids.has('event', id)) throw refused(`The event ${id} occurs twice`, place)
    ids.set('event', id, id)
    const isInHistory = ids.has('history', id)
    if (isInHistory !== this.#sequences.has(Number(fields.sequence)))
      throw refused(
        isInHistory
          ? 'The history of its record has another sequence for the entry'
          : 'There are two entries of one sequence',
        place,
      )
  }

  /**
   * Notes what only one record may have, such as a name.
   * @throws DomainError VALIDATION_ERROR if another record of the file has it
   */
  refuse({ type, place, fields }: SourceRecord, row: Row): void {
    if (this.#judging.again) return
    const once = (label: string, ...parts: readonly unknown[]) => {
      const key = JSON.stringify([label, ...parts])
      if (this.#unique.has(key)) throw refused(`There are two ${label}`, place)
      this.#unique.add(key)
    }
    if (type === 'attachment') once('attachments of one stored name', row.filename)
    if (type === 'saved_search') once('saved searches of one name', row.name)
    if (type === 'repository')
      once('repositories of one name', nameKeyOf(String(row.name), row.path_prefix as string | null))
    if (type === 'scenario_result') once('results of one tier', row.spec_id, row.scenario_id, row.tier)
    if (type === 'waiver') once('waivers of one card', row.card_id)
    if (type === 'done_tier') once('tiers of one record', row.entity_id)
    if (type === 'change') once('changes of one name', row.repository_id, row.kind, row.key)
    if (partOf(type) && typeof row.number === 'number')
      once(`${type}s of one number`, String(row[partOf(type)!.by]), row.number)
    if (type === 'snapshot') once('snapshots of one version', row.owner_id, row.version)
    if (type !== 'architecture') return
    for (const version of fields.versions as Row[]) {
      once('versions of one id', version.id)
      once('versions of a design with one number', row.id, version.version)
    }
    for (const payload of fields.payloads as Row[]) {
      once('payloads of one id', payload.id)
      once('payloads of one diagram', row.id, payload.diagram_id)
    }
    for (const { diagram_id, content_hash } of (fields.former_payloads ?? []) as Row[])
      once('former payloads of one content', row.id, diagram_id, content_hash)
  }

  /**
   * Notes the sequence of a log entry.
   * @throws DomainError VALIDATION_ERROR if another entry of the file has it
   */
  refuseSequence(sequence: number, place: FilePosition): void {
    if (this.#sequences.has(sequence)) throw refused('There are two entries of one sequence', place)
    this.#sequences.add(sequence)
  }
}
