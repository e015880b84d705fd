import { storedName } from '../../../delivery/attachments/names.ts'
import { nameKeyOf } from '../../../delivery/git/repositories.ts'
import { toJson } from '../../../lib/json.ts'
import type { ImportWrite } from '../../../schema/contents.ts'
import { kindOf } from '../../kinds/kinds.ts'
import { withOwnParts } from '../designs.ts'
import { digestsOf } from '../merge.ts'
import { refused } from '../refused.ts'
import { type Row, rowOf } from '../rows.ts'
import type { SourceRecord } from '../source.ts'
import { creation, importedEntry, inserted } from '../write.ts'
import { changing, externalIdOf, isGiven, logged, ownerOf, partOf, versionDigest } from './facts.ts'
import type { JudgedRecord, JudgingParts } from './judging.ts'
import { type BatchLookup, emptyLookup } from './lookup.ts'
import type { Once } from './once.ts'

/** Makes the records that the board does not have yet. */
export class Creations {
  readonly #judging: JudgingParts
  readonly #once: Once
  readonly #numbers = new Set<number>()
  /** The position after the last card of each column, for a new board. */
  readonly #positions = new Map<string, number>()
  /** The records that this import creates on an existing board. */
  readonly #made = new Set<string>()
  /** The largest number of a record. */
  lastNumber = 0

  constructor(judging: JudgingParts, once: Once) {
    this.#judging = judging
    this.#once = once
  }

  /** Whether this import creates the record of an id. */
  creates(id: string): boolean {
    return this.#judging.target.isNew || this.#made.has(id)
  }

  /** Notes a record that this import creates. */
  note(id: string): void {
    if (!this.#judging.target.isNew) this.#made.add(id)
  }

  /**
   * A record that is created, with its writes.
   * @throws DomainError VALIDATION_ERROR if the file contradicts itself
   */
  create(original: SourceRecord, { numbers, mentioned }: Pick<BatchLookup, 'numbers' | 'mentioned'>): JudgedRecord {
    const { naming, keeps, newId, target } = this.#judging
    const record = original.type === 'architecture' && !keeps ? withOwnParts(original, newId) : original
    const { type, id } = record
    const here = keeps ? id : (naming.ids.assigned(type, id) ?? newId())
    naming.ids.set(type, id, here)
    this.note(here)
    const row: Row = { ...rowOf(record, naming), id: here }
    this.#once.refuse(record, row)
    this.#number(record, row, numbers)
    if (type === 'attachment' && !target.isNew) row.filename = storedName(String(row.original_filename))
    if (type === 'card' && row.position === null && target.isNew) row.position = this.#position(String(row.status))
    if (type === 'repository') {
      row.name_key = nameKeyOf(String(row.name), row.path_prefix as string | null)
      // Otherwise its forge would keep sending what another service is meant to get.
      row.active = keeps ? 0 : 1
      this.#trust(row)
    }
    if (type === 'test_report' || type === 'proof_run') this.#asClaim(record, row)
    if (type === 'change' && row.kind === 'branch') row.content = withGap(row.content)
    if (type === 'graph_action') row.record_ref = naming.ids.inReference(String(row.record_ref))
    const writes = () => [...creation(record, row, target, naming), ...this.marks(record, row, here, mentioned)]
    return { record, here, row, writes }
  }

  /**
   * What is stored about an imported record: its external id and, if the log of the file does not record its origin, a
   * log entry.
   */
  marks(
    record: SourceRecord,
    row: Row,
    here: string,
    mentioned: BatchLookup['mentioned'] = emptyLookup.mentioned,
  ): ImportWrite[] {
    const { source, caller } = this.#judging
    const externalId = this.#remember(record, row, here)
    if (source.format === 'specboard' && !this.#isLogged(record, mentioned)) return [externalId]
    const owner = ownerOf(record.type, row, here)
    return [externalId, importedEntry(record, here, owner, { source: source.format, by: caller })]
  }

  /**
   * Whether a record of an archive needs a log entry of its own: its log is left out, or ended before it was imported
   * again.
   */
  #isLogged({ type, id }: SourceRecord, mentioned: BatchLookup['mentioned']): boolean {
    const { source, target } = this.#judging
    if (target.isNew || !logged.has(type)) return false
    return source.board.id !== target.boardId || mentioned.has(id)
  }

  #remember(record: SourceRecord, row: Row, here: string): ImportWrite {
    const { source, target, now } = this.#judging
    const imported = changing.has(record.type)
      ? digestsOf(kindOf.get(record.type)!, row, name => isGiven(record, name))
      : {}
    const external = {
      board_id: target.boardId,
      source: source.format,
      external_id: externalIdOf(source, record.type, record.id),
      entity_type: record.type,
      entity_id: here,
      imported: toJson({ ...imported, ...(record.type === 'architecture' && { version: versionDigest(row) }) }),
      imported_at: now,
      created_at: now,
    }
    return inserted('external_ids', external)
  }

  #number(record: SourceRecord, row: Row, used: ReadonlySet<number>): void {
    const { number } = row
    if (typeof number !== 'number') return
    if (partOf(record.type)) {
      // The numbers of an existing board continue: those in the file may be others' here.
      if (!this.#judging.target.isNew) row.number = null
      return
    }
    if (this.#numbers.has(number)) throw refused(`There are two records with number ${number}`, record.place)
    this.#numbers.add(number)
    this.lastNumber = Math.max(this.lastNumber, number)
    const { target, keeps, tally } = this.#judging
    if (target.isNew || (keeps && !used.has(number))) return
    row.number = null
    if (keeps) tally.problem(record, 'changed', `Another record has the number ${number}: this one gets the next`)
  }

  #position(status: string): number {
    const position = this.#positions.get(status) ?? 0
    this.#positions.set(status, position + 1)
    return position
  }

  /**
   * Sets whose CI tokens count for a repository of a new board: the trust counts as set by whoever imports it, and no
   * number is pinned (git 11).
   */
  #trust(row: Row): void {
    const { target, source, caller, now } = this.#judging
    const trust = row.ci === null || !target.isNew ? null : JSON.parse(String(row.ci))
    const isOwn = trust !== null && trust.audience === `specboard:${source.board.id}`
    row.ci_issuer = trust?.issuer ?? null
    row.ci =
      trust === null
        ? null
        : toJson({
            ...trust,
            ...(isOwn && { audience: `specboard:${target.boardId}` }),
            pinned_id: null,
            set_by: caller.id,
            set_at: now,
            set_present: false,
          })
  }

  /** Imported evidence: a claim, with its original tier as text (evidence 14). */
  #asClaim({ type, fields }: SourceRecord, row: Row): void {
    const { naming, source } = this.#judging
    row.origin = toJson({ tier: row.tier, tier_reason: row.tier_reason, service: source.service ?? null })
    row.tier = 'claimed'
    row.tier_reason = 'imported'
    row.records = toJson(
      (fields.records as { entity_type: string; entity_id: string }[]).flatMap(({ entity_id, ...spoken }) => {
        const here = naming.ids.of(spoken.entity_type, entity_id)
        return here === undefined || !this.creates(here) ? [] : [{ ...spoken, entity_id: here }]
      }),
    )
    if (type !== 'test_report') return
    // Local and imported reports are distinguished: neither counts as a repetition of the other.
    row.identity = `imported ${String(row.id)}`
    row.proof_run_id =
      fields.proof_run_id === null ? null : (naming.ids.assigned('proof_run', String(fields.proof_run_id)) ?? null)
  }
}

/** The content of a branch with missing commits: a sync brings them (git 5). */
const withGap = (content: unknown): string => toJson({ ...JSON.parse(String(content)), gap: true })
