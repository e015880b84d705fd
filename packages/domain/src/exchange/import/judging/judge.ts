import { maxRepositories, nameKeyOf } from '../../../delivery/git/repositories.ts'
import type { Context } from '../../../kernel/context.ts'
import { blocked, DomainError } from '../../../kernel/errors.ts'
import { toJson } from '../../../lib/json.ts'
import { readableGuideline } from '../../../workspace/guidelines/reach.ts'
import { batches } from '../batches.ts'
import { partsOf } from '../designs.ts'
import { authorKey, existingRows, resultKey } from '../known.ts'
import { refuseElsewhere } from '../named.ts'
import { refused } from '../refused.ts'
import { type Row, rowOf } from '../rows.ts'
import type { SourceRecord } from '../source.ts'
import { creation, inserted } from '../write.ts'
import { Creations } from './creations.ts'
import { externalIdOf } from './facts.ts'
import { ImportedSpec } from './imported-spec.ts'
import type { JudgedRecord, JudgingParts } from './judging.ts'
import { isKeptWith } from './kept.ts'
import { type BatchLookup, emptyLookup, Lookup } from './lookup.ts'
import { Merges } from './merges.ts'
import { Once } from './once.ts'
import { Parents } from './parents.ts'

/** Records that are looked up together: with more, they would outlive the young generation of the heap. */
const batchSize = 25

/** Log entries that are looked up together. */
const entriesAtOnce = 32

/** How many taken ids a refusal lists (exchange 1). */
const maxTaken = 20

/** 409: records of an archive exist elsewhere (exchange 1). */
export const idsTaken = (ids: readonly string[]): DomainError =>
  blocked(
    'ID_TAKEN',
    `Records of this archive exist elsewhere here (${ids[0]}, …). Import it with keep_ids=false to get copies.`,
    { ids },
  )

/** The message about a record whose validations were imported with it. */
const notCounting = {
  spec: 'Its validations are imported unchanged, but none counts here: it is not locked, and has no current validation',
  card: 'Its validations are imported unchanged, but none is active',
} as const

/** Decides for each record of a file whether it is created, changed or left unchanged (exchange 1). */
export class Judge {
  readonly #judging: JudgingParts
  readonly #lookup: Lookup
  readonly #once: Once
  readonly #parents: Parents
  readonly #creations: Creations
  readonly #merges: Merges
  readonly #importedSpec: ImportedSpec
  readonly #taken = new Set<string>()
  /** The records that were reported to have validations. */
  readonly #told = new Set<string>()
  /** The board in the file. */
  board: SourceRecord | undefined

  constructor(judging: JudgingParts) {
    this.#judging = judging
    this.#lookup = new Lookup(judging)
    this.#once = new Once(judging)
    this.#parents = new Parents(judging)
    this.#creations = new Creations(judging, this.#once)
    this.#merges = new Merges(judging, this.#parents)
    this.#importedSpec = new ImportedSpec(judging, this.#creations)
  }

  /** The largest number of a record. */
  get lastNumber(): number {
    return this.#creations.lastNumber
  }

  /**
   * The records that write something. Once an id is taken there are no more: the others are only checked.
   * @throws DomainError VALIDATION_ERROR for contradictions, ID_TAKEN once the maximum number that a refusal lists are
   * taken
   */
  async *judged(): AsyncGenerator<JudgedRecord> {
    for await (const batch of batches(this.#judging.source.records(this.#judging.again), batchSize)) {
      const found = await this.#lookup.find(batch)
      for (const original of batch) {
        const { record, spec } = await this.#importedSpec.housed(original, found)
        if (spec !== undefined) yield spec
        const judged = await this.#record(record, found)
        if (judged !== undefined && this.#taken.size === 0) yield judged
      }
      if (this.#taken.size >= maxTaken) this.refuseTaken()
    }
  }

  /**
   * The log entries, each with whether the board lacks it; to be read after the records.
   * @throws DomainError VALIDATION_ERROR, ID_TAKEN
   */
  async *entries(): AsyncGenerator<{ readonly entry: SourceRecord; readonly isNew: boolean }> {
    const { source, again, keeps, target, read } = this.#judging
    for await (const batch of batches(source.events(again), entriesAtOnce)) {
      const ids = batch.map(({ id }) => id)
      const here =
        again || !keeps
          ? emptyLookup.standing
          : await read(({ db }) => existingRows(db, target.boardId, 'history', ids))
      const elsewhere = await this.#lookup.elsewhere(batch)
      for (const entry of batch) {
        if (!again) this.#once.refuseEntry(entry)
        const row = here.get(entry.id)
        if (row !== undefined && row.board_id !== target.boardId) this.#take(entry)
        else refuseElsewhere(entry, elsewhere)
        yield { entry, isNew: row === undefined && this.#taken.size === 0 }
      }
      if (this.#taken.size >= maxTaken) this.refuseTaken()
    }
  }

  /**
   * Refuses what was read if any of it exists elsewhere.
   * @throws DomainError ID_TAKEN
   */
  refuseTaken(): void {
    if (this.#taken.size > 0) throw idsTaken([...this.#taken].slice(0, maxTaken))
  }

  async #record(record: SourceRecord, found: BatchLookup): Promise<JudgedRecord | undefined> {
    const { naming, again } = this.#judging
    const { type, id, place } = record
    if (!again && naming.ids.has(type, id)) throw refused(`The ${type.replaceAll('_', ' ')} ${id} occurs twice`, place)
    if (type === 'board') return this.#board(record, found)
    if (!again && type === 'history') this.#once.refuseSequence(Number(record.fields.sequence), place)
    if (type === 'external_id') return this.#externalId(record, found)
    if (type === 'change_link') return this.#changeLink(record, found)
    if (isKeptWith(type)) return this.#keptWith(record, found)
    return this.#byStanding(record, found)
  }

  /** Judges a record by the one that exists under its id, or that an earlier import made of it. */
  async #byStanding(record: SourceRecord, found: BatchLookup): Promise<JudgedRecord | undefined> {
    const { target, source } = this.#judging
    const { type, id } = record
    const lastImport = found.known.get(externalIdOf(source, type, id))
    const row = found.standing.get(lastImport?.entity_id ?? id)
    const isHere = row !== undefined && !target.isNew && row.board_id === target.boardId
    const isElsewhere = !isHere && (row !== undefined || this.#lookup.isOnOtherCard(record))
    if (lastImport === undefined && isElsewhere && type !== 'guideline') {
      this.#take(record)
      return undefined
    }
    refuseElsewhere(record, found.elsewhere)
    if (lastImport !== undefined && !isHere)
      return this.#away(
        record,
        lastImport.entity_type === type
          ? 'It was deleted here and stays so'
          : `It was imported as kind ${lastImport.entity_type} before, which does not change`,
        lastImport.entity_id,
      )
    const parent = this.#parents.gone(record)
    if (parent !== undefined) return this.#away(record, `${parent} is not here`)
    if (isHere) return this.#merges.merge(record, row, lastImport, found)
    if (type === 'guideline') return this.#guideline(record, row, found)
    if (type === 'dependency') return this.#dependency(record)
    const repeats = this.#repeats(record, found)
    return repeats === undefined ? this.#creation(record, found) : this.#away(record, repeats)
  }

  #creation(record: SourceRecord, found: BatchLookup): JudgedRecord {
    for (const part of found.parts.size > 0 ? partsOf(record) : []) if (found.parts.has(part)) this.#taken.add(part)
    this.#parents.tellLost(record)
    this.#tellApproval(record)
    this.#judging.tally.count(record.type, 'created')
    return this.#creations.create(record, found)
  }

  /** Why a record that the board already has under another id is left out. */
  #repeats(record: SourceRecord, found: BatchLookup): string | undefined {
    const { type, fields } = record
    if (type === 'saved_search' && found.repeated.has(String(fields.name))) return 'A saved search of this name exists'
    if (type === 'snapshot' && found.repeated.has(`${this.#lookup.ownerHere(record)} ${fields.version}`))
      return 'A snapshot of this version exists'
    return this.#repeatsGit(record, found)
  }

  /** Why a Git record is left out, on a board that already has an equivalent one. */
  #repeatsGit({ type, fields }: SourceRecord, { repeated }: BatchLookup): string | undefined {
    if (this.#judging.target.isNew) return undefined
    const { ids } = this.#judging.naming
    const repository = ids.of('repository', String(fields.repository_id)) ?? null
    if (type === 'repository') {
      const { name, path_prefix } = fields as { name: string; path_prefix: string | null }
      if (repeated.has(nameKeyOf(name, path_prefix))) return 'A repository of this name exists'
      if (repeated.size >= maxRepositories) return `The board has ${maxRepositories} repositories, the most allowed`
    }
    if (type === 'change' && repeated.has(`${repository} ${fields.kind} ${fields.key}`))
      return 'The repository has this change'
    if (type === 'author' && repeated.has(authorKey({ ...fields, repository_id: repository })))
      return 'This author is set already'
    return undefined
  }

  /** The record exists elsewhere; its parts are checked as if it were imported. */
  #take({ type, id }: SourceRecord): void {
    const { ids } = this.#judging.naming
    this.#taken.add(id)
    if (!ids.has(type, id)) ids.set(type, id, id)
  }

  #board(record: SourceRecord, { standing: rows }: BatchLookup): undefined {
    const { target, naming, tally, keeps } = this.#judging
    this.board = record
    naming.ids.set('board', record.id, target.boardId)
    if (!target.isNew) return
    tally.count('board', 'created')
    if (keeps && rows.has(record.id)) this.#take(record)
  }

  /**
   * Leaves out the record, and with it everything that belongs to it.
   * @param before the id that it had here
   */
  #away(record: SourceRecord, reason: string, before?: string): undefined {
    const { naming, tally } = this.#judging
    naming.ids.leave(record.type, record.id, before)
    tally.count(record.type, 'skipped')
    tally.problem(record, 'skipped', reason)
  }

  /** Reports once for a record that its validations, which counted at its origin, do not count here (exchange 1.3). */
  #tellApproval({ type, fields, place }: SourceRecord): void {
    const approved = { spec_validation: 'spec', task_validation: 'card' } as const
    if (type !== 'spec_validation' && type !== 'task_validation') return
    const kind = approved[type]
    const id = String(fields[`${kind}_id`])
    if (this.#told.has(`${kind} ${id}`)) return
    this.#told.add(`${kind} ${id}`)
    this.#judging.tally.problem({ type: kind, id, fields: {}, place }, 'note', notCounting[kind])
  }

  /** A global guideline that the caller may read is linked; any other is imported as the board's own. */
  async #guideline(
    record: SourceRecord,
    row: Row | undefined,
    { repeated }: BatchLookup,
  ): Promise<JudgedRecord | undefined> {
    const { tally, naming, target, newId, now, read } = this.#judging
    const { scope, priority } = record.fields
    if (scope === 'global' && repeated.has(record.id)) {
      naming.ids.set('guideline', record.id, record.id)
      tally.count('guideline', 'unchanged')
      return undefined
    }
    tally.count('guideline', 'created')
    if (scope === 'global' && row?.scope === 'global' && (await read(ctx => isReadable(ctx, record.id)))) {
      naming.ids.set('guideline', record.id, record.id)
      const link = { id: newId(), board_id: target.boardId, guideline_id: record.id, priority: Number(priority) }
      return {
        record,
        here: record.id,
        row: {},
        writes: () => [inserted('board_guidelines', { ...link, created_at: now })],
      }
    }
    if (row !== undefined && scope !== 'global') this.#take(record)
    if (scope === 'global') tally.problem(record, 'note', 'It was global in its source, and becomes one of this board')
    return this.#ownGuideline(record, row !== undefined)
  }

  #ownGuideline(record: SourceRecord, isTaken: boolean): JudgedRecord {
    const { naming, target, keeps, newId } = this.#judging
    const here = keeps && !isTaken ? record.id : (naming.ids.assigned('guideline', record.id) ?? newId())
    naming.ids.set('guideline', record.id, here)
    this.#creations.note(here)
    const own = rowOf(record, naming)
    const row = { ...own, id: here, scope: 'inline' }
    // The digest of its scope lets an export recognise that it was global.
    const writes = () => [...creation(record, row, target, naming), ...this.#creations.marks(record, own, here)]
    return { record, here, row, writes }
  }

  #dependency(record: SourceRecord): JudgedRecord | undefined {
    const { naming, waits } = this.#judging
    const { fields } = record
    const card = naming.ids.of('card', String(fields.card_id))
    const dependsOn = naming.ids.of('card', String(fields.depends_on_id))
    if (card === undefined || dependsOn === undefined)
      return this.#away(record, 'It leads to a card that does not exist')
    if (waits.has(card, dependsOn)) return this.#away(record, 'The same dependency exists')
    if (!waits.add(card, dependsOn)) return this.#away(record, 'It would close a cycle')
    this.#judging.tally.count('dependency', 'created')
    return this.#creations.create(record, emptyLookup)
  }

  /** A link of a change (git 11): it opens no gate, because imported data counts for none. */
  #changeLink(record: SourceRecord, { repeated }: BatchLookup): JudgedRecord | undefined {
    const { naming, target, tally } = this.#judging
    const parent = this.#parents.gone(record)
    if (parent !== undefined) return this.#away(record, `${parent} is not here`)
    const row = rowOf(record, naming)
    naming.ids.set('change_link', record.id, record.id)
    if (repeated.has(`${row.change_id} ${row.entity_id}`)) {
      tally.count('change_link', 'unchanged')
      return undefined
    }
    if (!this.#creations.creates(String(row.change_id)))
      return this.#away(record, 'A link counts only for a change that the same import makes')
    tally.count('change_link', 'created')
    return { record, here: record.id, row, writes: () => creation(record, row, target, naming) }
  }

  /**
   * A result of a scenario, a waiver of a card or the tier of a done record (evidence 14): it must belong to a record
   * of the same import, and opens no gate.
   */
  #keptWith(record: SourceRecord, { repeated }: BatchLookup): JudgedRecord | undefined {
    const { naming, target, tally, source } = this.#judging
    const { type } = record
    const parent = this.#parents.gone(record)
    if (parent !== undefined) return this.#away(record, `${parent} is not here`)
    const row: Row = {
      ...rowOf(record, naming),
      ...(type !== 'waiver' && { service: source.service ?? null }),
    }
    const owner = String(row.spec_id ?? row.card_id ?? row.entity_id)
    this.#once.refuse(record, row)
    if (repeated.has(type === 'scenario_result' ? resultKey(row) : owner)) {
      tally.count(type, 'unchanged')
      return undefined
    }
    if (!this.#creations.creates(owner))
      return this.#away(record, 'It counts only for a record that the same import makes')
    tally.count(type, 'created')
    return { record, here: record.id, row, writes: () => creation(record, row, target, naming) }
  }

  /** An external id of a record, from an archive. */
  #externalId(record: SourceRecord, { known, elsewhere }: BatchLookup): JudgedRecord | undefined {
    const { naming, target, tally, now } = this.#judging
    const { source, external_id, entity_type, created_at } = record.fields as Readonly<Record<string, string>>
    refuseElsewhere(record, elsewhere)
    const stands = known.has(record.id)
    const entity_id =
      naming.ids.of(entity_type!, record.fields.entity_id as string) ?? (record.fields.entity_id as string)
    if (!stands && !this.#creations.creates(entity_id))
      return this.#away(record, 'An external id counts only for a record that the same import makes')
    tally.count('external_id', stands ? 'unchanged' : 'created')
    naming.ids.set('external_id', record.id, record.id)
    if (stands) return undefined
    const row = {
      board_id: target.boardId,
      source: source!,
      external_id: external_id!,
      entity_type: entity_type!,
      entity_id,
      imported: toJson(record.fields.imported as Record<string, string>),
      imported_at: now,
      created_at: created_at!,
    }
    return { record, here: record.id, row, writes: () => [inserted('external_ids', row)] }
  }
}

async function isReadable(ctx: Context, id: string): Promise<boolean> {
  try {
    await readableGuideline(ctx, id)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}
