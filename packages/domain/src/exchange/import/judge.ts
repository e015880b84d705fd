import { storedName } from '../../delivery/attachments/names.ts'
import { mostRepositories, nameKeyOf } from '../../delivery/git/repositories.ts'
import type { Context } from '../../kernel/context.ts'
import { blocked, DomainError } from '../../kernel/errors.ts'
import { toJson } from '../../lib/json.ts'
import type { Change, ImportWrite } from '../../schema/contents.ts'
import { tableNamed } from '../../schema/tables/all.ts'
import { readableGuideline } from '../../workspace/guidelines/reach.ts'
import type { Column } from '../kinds/columns.ts'
import { toRecord } from '../kinds/forms.ts'
import { kindOf, type RecordType } from '../kinds/kinds.ts'
import type { Authors } from './authors.ts'
import { batches } from './batches.ts'
import type { Waits } from './circles.ts'
import { designRevision, partsOf, withOwnParts, withPartsOf } from './designs.ts'
import { followUps } from './follow-ups.ts'
import {
  authorKey,
  authorsStanding,
  changesStanding,
  doneTiersStanding,
  type Known,
  knowledgeOnOtherCards,
  knownBy,
  linkedGuidelines,
  linksStanding,
  numbersTaken,
  partsStanding,
  repositoryNames,
  resultKey,
  resultsStanding,
  searchNames,
  snapshotVersions,
  standing,
  toldOf,
  waiversStanding,
} from './known.ts'
import { digestsOf, isAsImported, merge, sameStored, storedDigest } from './merge.ts'
import { namedBy, refuseElsewhere } from './named.ts'
import { type Place, refused } from './refused.ts'
import { refusedFields } from './refused-fields.ts'
import { type Naming, type Row, rowOf } from './rows.ts'
import type { Incoming, Source } from './source.ts'
import type { Tally } from './tally.ts'
import { creation, importedEntry, inserted, revision, type Target } from './write.ts'

/** Records that are looked up together: with more, they would outlive the young generation of the heap. */
const batchSize = 25

/** Log entries that are looked up together. */
const entriesAtOnce = 32

/** How many taken ids a refusal lists (exchange 1). */
const mostTaken = 20

/** The kinds whose records change after they are created: a later import may change them again. */
const changing: ReadonlySet<RecordType> = new Set([
  'guideline',
  'ideation',
  'refinement',
  'spec',
  'sprint',
  'card',
  'question',
  'knowledge',
  'comment',
  'architecture',
  'saved_search',
])

/** 409: records of an archive exist elsewhere (exchange 1). */
export const idsTaken = (ids: readonly string[]): DomainError =>
  blocked(
    'ID_TAKEN',
    `Records of this archive stand in another place here (${ids[0]}, …). Import it with keep_ids=false to get copies.`,
    { ids },
  )

/** The message about a record whose validations were imported with it. */
const notCounting = {
  spec: 'Its validations come as they were, and none counts here: it is not locked, and has no current validation',
  card: 'Its validations come as they were, and none is active here',
} as const

/** The kinds whose import is recorded in the event log, if the file brings no log. */
const logged: ReadonlySet<RecordType> = new Set(['ideation', 'refinement', 'spec', 'sprint', 'card'])

/** What checking records needs. */
export interface Judging {
  readonly source: Source
  readonly target: Target
  readonly naming: Naming
  /** The same, for comparing an existing record: its author is identified by id on both sides. */
  readonly comparing: Naming
  /** The authors that are new here are those that it added. */
  readonly authors: Authors
  readonly tally: Tally
  /** Whether records keep the ids and numbers in the file. */
  readonly keeps: boolean
  /** Whether it was checked before, so that nothing needs to be looked up: a new board has nothing yet. */
  readonly again: boolean
  readonly newId: () => string
  readonly now: string
  readonly read: <Value>(run: (ctx: Context) => Promise<Value>) => Promise<Value>
  /** The links of the board; those of the file are still to come. */
  readonly waits: Waits
  /** The author of log entries about records of other tools. */
  readonly caller: { readonly id: string; readonly name: string }
}

/** A record of the file and its writes: none if it already exists or is left out. */
export interface Judged {
  readonly record: Incoming
  /** The id that it has here. */
  readonly here: string
  readonly row: Row
  /** The existing row, for a record that changes. */
  readonly before?: Row
  /** Made on demand: a reading that only checks does not need them. */
  readonly writes: () => readonly ImportWrite[]
}

interface Found {
  readonly known: ReadonlyMap<string, Known>
  readonly standing: ReadonlyMap<string, Row>
  readonly numbers: ReadonlySet<number>
  /**
   * Things on the board that records would repeat: names, versions of snapshots, linked guidelines, changes, their
   * links.
   */
  readonly repeated: ReadonlySet<string>
  /** Ids of parts of designs that exist anywhere. */
  readonly parts: ReadonlySet<string>
  /** Records that the log of the board mentions, although they do not exist. */
  readonly told: ReadonlySet<string>
  /** Records named by log entries or external ids that exist elsewhere. */
  readonly elsewhere: ReadonlySet<string>
}

const nothing: Found = {
  known: new Map(),
  standing: new Map(),
  numbers: new Set(),
  repeated: new Set(),
  parts: new Set(),
  told: new Set(),
  elsewhere: new Set(),
}

/** Decides for each record of a file whether it is created, changed or left as it is (exchange 1). */
export class Judge {
  readonly #with: Judging
  readonly #taken = new Set<string>()
  readonly #unique = new Set<string>()
  readonly #sequences = new Set<number>()
  readonly #numbers = new Set<number>()
  /** Ids of knowledge in cards of other boards, looked up when the first knowledge comes. */
  #onOtherCards: ReadonlySet<string> | undefined
  /** The position after the last card of each column, for a new board. */
  readonly #positions = new Map<string, number>()
  /** The records that were reported to have validations. */
  readonly #told = new Set<string>()
  /** The records that this import creates on an existing board. */
  readonly #made = new Set<string>()
  /** The largest number of a record. */
  lastNumber = 0
  /** The board in the file. */
  board: Incoming | undefined

  constructor(judging: Judging) {
    this.#with = judging
  }

  /**
   * The records that write something. Once an id is taken there are no more: the others are only checked.
   * @throws DomainError VALIDATION_ERROR for contradictions, ID_TAKEN once as many are taken as a refusal lists
   */
  async *judged(): AsyncGenerator<Judged> {
    for await (const batch of batches(this.#with.source.records(this.#with.again), batchSize)) {
      const found = await this.#find(batch)
      for (const given of batch) {
        const { record, spec } = await this.#housed(given, found)
        if (spec !== undefined) yield spec
        const judged = await this.#record(record, found)
        if (judged !== undefined && this.#taken.size === 0) yield judged
      }
      if (this.#taken.size >= mostTaken) this.refuseTaken()
    }
  }

  /**
   * The log entries, each with whether the board lacks it; to be read after the records.
   * @throws DomainError VALIDATION_ERROR, ID_TAKEN
   */
  async *entries(): AsyncGenerator<{ readonly entry: Incoming; readonly isNew: boolean }> {
    const { source, again, keeps, target, read } = this.#with
    for await (const batch of batches(source.events(again), entriesAtOnce)) {
      const ids = batch.map(({ id }) => id)
      const here =
        again || !keeps ? nothing.standing : await read(({ db }) => standing(db, target.boardId, 'history', ids))
      const elsewhere = await this.#elsewhere(batch)
      for (const entry of batch) {
        if (!again) this.#refuseRepeatedEntry(entry)
        const row = here.get(entry.id)
        if (row !== undefined && row.board_id !== target.boardId) this.#take(entry)
        else refuseElsewhere(entry, elsewhere)
        yield { entry, isNew: row === undefined && this.#taken.size === 0 }
      }
      if (this.#taken.size >= mostTaken) this.refuseTaken()
    }
  }

  /**
   * Refuses what was read if any of it exists elsewhere.
   * @throws DomainError ID_TAKEN
   */
  refuseTaken(): void {
    if (this.#taken.size > 0) throw idsTaken([...this.#taken].slice(0, mostTaken))
  }

  #refuseRepeatedEntry({ id, place, fields }: Incoming): void {
    const { ids } = this.#with.naming
    if (ids.has('event', id)) throw refused(`The event ${id} is there twice`, place)
    ids.set('event', id, id)
    const isInHistory = ids.has('history', id)
    if (isInHistory !== this.#sequences.has(Number(fields.sequence)))
      throw refused(
        isInHistory
          ? 'The entry has another sequence in the history of its record'
          : 'There are two entries of one sequence',
        place,
      )
  }

  async #find(records: readonly Incoming[]): Promise<Found> {
    const { source, target, keeps, again, read } = this.#with
    const { type } = records[0]!
    if (type === 'external_id') return this.#findExternal(records)
    if (type === 'change_link') return this.#findLinks(records)
    if (isKeptWith(type)) return this.#findKept(records)
    // A guideline may be global here, which only a look tells.
    if (again && type !== 'guideline') return nothing
    if (target.made && !keeps) return { ...nothing, elsewhere: await this.#elsewhere(records) }
    const ids = records.map(({ id }) => id)
    const found = await read(async ({ db }) => {
      const known = target.made
        ? new Map<string, Known>()
        : await knownBy(
            db,
            target.boardId,
            source.format,
            records.map(record => externalIdOf(source, record.type, record.id)),
          )
      const here = [...(keeps ? ids : []), ...[...known.values()].map(({ entity_id }) => entity_id)]
      const ofRecords = partOf(type) ? [] : records
      const numbers = ofRecords.map(({ fields }) => fields.number).filter(number => typeof number === 'number')
      return {
        ...nothing,
        known,
        standing: await standing(db, target.boardId, type, here),
        ...(!target.made && {
          numbers: await numbersTaken(db, target.boardId, numbers),
          told: keeps && logged.has(type) ? await toldOf(db, target.boardId, ids) : nothing.told,
          repeated: await this.#repeated(db, records),
        }),
        ...(type === 'architecture' && keeps && { parts: await partsStanding(db, records.flatMap(partsOf)) }),
      }
    })
    if (type === 'knowledge' && keeps) this.#onOtherCards ??= await knowledgeOnOtherCards(read, target.boardId)
    return { ...found, elsewhere: await this.#elsewhere(records) }
  }

  async #findLinks(records: readonly Incoming[]): Promise<Found> {
    const { target, naming, read } = this.#with
    if (target.made) return nothing
    const changes = records.flatMap(({ fields }) => naming.ids.of('change', String(fields.change_id)) ?? [])
    return { ...nothing, repeated: await read(({ db }) => linksStanding(db, changes)) }
  }

  /** Results, waivers and tiers of done records that stand on the board already. */
  async #findKept(records: readonly Incoming[]): Promise<Found> {
    const { target, naming, read } = this.#with
    const { type } = records[0]!
    if (target.made || !isKeptWith(type)) return nothing
    const owners = records.flatMap(record => {
      const { kind, id } = keptOwner(record)
      return naming.ids.of(kind, id) ?? []
    })
    return { ...nothing, repeated: await read(({ db }) => keptStanding[type](db, owners)) }
  }

  async #findExternal(records: readonly Incoming[]): Promise<Found> {
    const { target, again, read } = this.#with
    const known = new Map<string, Known>()
    if (!target.made)
      for (const [source, of] of Map.groupBy(records, ({ fields }) => String(fields.source))) {
        const ids = of.map(({ fields }) => String(fields.external_id))
        for (const [id, one] of await read(({ db }) => knownBy(db, target.boardId, source, ids)))
          known.set(`${source} ${id}`, one)
      }
    return { ...nothing, known, elsewhere: again ? nothing.elsewhere : await this.#elsewhere(records) }
  }

  /** What some records would repeat on the board. */
  async #repeated(db: Context['db'], records: readonly Incoming[]): Promise<ReadonlySet<string>> {
    const { boardId } = this.#with.target
    const { type } = records[0]!
    if (type === 'saved_search') return searchNames(db, boardId)
    if (type === 'guideline') return linkedGuidelines(db, boardId)
    if (type === 'repository') return repositoryNames(db, boardId)
    if (type === 'author') return authorsStanding(db, boardId)
    if (type === 'change') {
      const keys = records.map(({ fields }) => String(fields.key))
      return changesStanding(db, boardId, keys)
    }
    if (type !== 'snapshot') return nothing.repeated
    return snapshotVersions(
      db,
      boardId,
      records.map(record => this.#ownerHere(record)),
    )
  }

  /** The id here of the planning record that a part belongs to. */
  #ownerHere({ fields }: Incoming): string {
    const { owner_type, owner_id } = fields as Readonly<Record<string, string>>
    return this.#with.naming.ids.of(owner_type!, owner_id!) ?? owner_id!
  }

  /** The records named by entries or external ids that are not in the file, and exist elsewhere. */
  async #elsewhere(records: readonly Incoming[]): Promise<ReadonlySet<string>> {
    const { naming, target, again, read } = this.#with
    if (again) return nothing.elsewhere
    await this.#recall(records.flatMap(namedBy))
    const absent = records.flatMap(namedBy).filter(({ kind, id }) => !naming.ids.has(kind, id))
    const found = new Set<string>()
    for (const [kind, of] of Map.groupBy(absent, ({ kind }) => kind)) {
      const ids = of.map(({ id }) => id)
      const rows = await read(({ db }) => standing(db, target.boardId, kind, ids))
      for (const [id, row] of rows) if (target.made || row.board_id !== target.boardId) found.add(`${kind} ${id}`)
    }
    return found
  }

  /**
   * Records that came with an earlier import, and were deleted at the source since, keep the ids that they got then.
   */
  async #recall(names: readonly { readonly kind: RecordType; readonly id: string }[]): Promise<void> {
    const { source, target, keeps, naming, read } = this.#with
    if (source.format !== 'specboard' || keeps || target.made) return
    const absent = names.filter(({ kind, id }) => !naming.ids.has(kind, id))
    if (absent.length === 0) return
    const ids = absent.map(({ kind, id }) => externalIdOf(source, kind, id))
    const known = await read(({ db }) => knownBy(db, target.boardId, source.format, ids))
    for (const { kind, id } of absent) {
      const here = known.get(externalIdOf(source, kind, id))?.entity_id
      if (here !== undefined) naming.ids.set(kind, id, here)
    }
  }

  #isOnOtherCard({ type, id }: Incoming): boolean {
    return type === 'knowledge' && this.#onOtherCards?.has(id) === true
  }

  async #record(record: Incoming, found: Found): Promise<Judged | undefined> {
    const { naming, target, tally, again } = this.#with
    const { type, id, place } = record
    if (!again && naming.ids.has(type, id))
      throw refused(`The ${type.replaceAll('_', ' ')} ${id} is there twice`, place)
    if (type === 'board') return this.#board(record, found)
    if (!again && type === 'history') this.#refuseSequence(Number(record.fields.sequence), place)
    if (type === 'external_id') return this.#externalId(record, found)
    if (type === 'change_link') return this.#changeLink(record, found)
    if (isKeptWith(type)) return this.#keptWith(record, found)
    const known = found.known.get(externalIdOf(this.#with.source, record.type, record.id))
    const row = found.standing.get(known?.entity_id ?? id)
    const isHere = row !== undefined && !target.made && row.board_id === target.boardId
    if (known === undefined && (row !== undefined || this.#isOnOtherCard(record)) && !isHere && type !== 'guideline') {
      this.#take(record)
      return undefined
    }
    refuseElsewhere(record, found.elsewhere)
    if (known !== undefined && !isHere) return this.#away(record, 'It was deleted here and stays so', known.entity_id)
    const parent = this.#goneParent(record)
    if (parent !== undefined) return this.#away(record, `${parent} is not here`)
    if (isHere) return this.#same(record, row, known, found)
    if (type === 'guideline') return this.#guideline(record, row, found)
    if (type === 'dependency') return this.#dependency(record)
    if (type === 'saved_search' && found.repeated.has(String(record.fields.name)))
      return this.#away(record, 'A saved search of this name is there')
    const repeats = this.#repeatsGit(record, found)
    if (repeats !== undefined) return this.#away(record, repeats)
    if (type === 'snapshot' && found.repeated.has(`${this.#ownerHere(record)} ${record.fields.version}`))
      return this.#away(record, 'A snapshot of this version is there')
    for (const part of found.parts.size > 0 ? partsOf(record) : []) if (found.parts.has(part)) this.#taken.add(part)
    this.#tellLostParents(record)
    this.#tellApproval(record)
    tally.count(type, 'created')
    return this.#create(record, found)
  }

  /** Why a Git record is left out, on a board that already has an equivalent one. */
  #repeatsGit({ type, fields }: Incoming, { repeated }: Found): string | undefined {
    if (this.#with.target.made) return undefined
    const { ids } = this.#with.naming
    const repository = ids.of('repository', String(fields.repository_id)) ?? null
    if (type === 'repository') {
      const { name, path_prefix } = fields as { name: string; path_prefix: string | null }
      if (repeated.has(nameKeyOf(name, path_prefix))) return 'A repository of this name is there'
      if (repeated.size >= mostRepositories)
        return `The board has ${mostRepositories} repositories, the most that it may`
    }
    if (type === 'change' && repeated.has(`${repository} ${fields.kind} ${fields.key}`))
      return 'The repository has this change'
    if (type === 'author' && repeated.has(authorKey({ ...fields, repository_id: repository })))
      return 'This author is set already'
    return undefined
  }

  /** The record exists elsewhere; its parts are checked as if it were imported. */
  #take({ type, id }: Incoming): void {
    const { ids } = this.#with.naming
    this.#taken.add(id)
    if (!ids.has(type, id)) ids.set(type, id, id)
  }

  #board(record: Incoming, { standing: rows }: Found): undefined {
    const { target, naming, tally, keeps } = this.#with
    this.board = record
    naming.ids.set('board', record.id, target.boardId)
    if (!target.made) return
    tally.count('board', 'created')
    if (keeps && rows.has(record.id)) this.#take(record)
  }

  /**
   * Leaves out the record, and with it everything that belongs to it.
   * @param before the id that it had here
   */
  #away(record: Incoming, reason: string, before?: string): undefined {
    const { naming, tally } = this.#with
    naming.ids.leave(record.type, record.id, before)
    tally.count(record.type, 'skipped')
    tally.problem(record, 'skipped', reason)
  }

  /** The record that this one belongs to, if that is left out. */
  #goneParent(record: Incoming): string | undefined {
    const { type, fields } = record
    if (type === 'history') return this.#untold(record)
    for (const [name, { names }] of Object.entries(kindOf.get(type)!.columns)) {
      if (names === undefined || names.optional) continue
      const kind = 'kind' in names ? names.kind : String(fields[names.kindIn])
      if (this.#with.naming.ids.isLeft(kind, String(fields[name]))) return `The ${kind} ${String(fields[name])}`
    }
    return undefined
  }

  /**
   * The record of an entry that never existed here: with new ids, the entry would be about the record that it was
   * copied from.
   */
  #untold(entry: Incoming): string | undefined {
    const { keeps, naming } = this.#with
    const away = keeps
      ? undefined
      : namedBy(entry).find(({ kind, id }) => naming.ids.isLeft(kind, id) && naming.ids.find(id) === undefined)
    return away && `The ${away.kind} ${away.id}`
  }

  /** Reports once for a record that its validations do not count here, as they did at its origin (exchange 1.3). */
  #tellApproval({ type, fields, place }: Incoming): void {
    const approved = { spec_validation: 'spec', task_validation: 'card' } as const
    if (type !== 'spec_validation' && type !== 'task_validation') return
    const kind = approved[type]
    const id = String(fields[`${kind}_id`])
    if (this.#told.has(`${kind} ${id}`)) return
    this.#told.add(`${kind} ${id}`)
    this.#with.tally.problem({ type: kind, id, fields: {}, place }, 'note', notCounting[kind])
  }

  /**
   * Reports parents that this record belonged to and can do without: it is imported without those that were deleted
   * here.
   */
  #tellLostParents(record: Incoming): void {
    const { tally } = this.#with
    for (const [name, column] of Object.entries(kindOf.get(record.type)!.columns)) {
      const parent = this.#lostParent(column, record.fields[name])
      if (parent !== undefined)
        tally.problem(record, 'changed', `It comes in without ${parent}, which was deleted here`)
    }
  }

  /** The record that an optional reference leads to, if it was deleted here. */
  #lostParent({ names }: Column, value: unknown): string | undefined {
    if (names?.optional === undefined || !('kind' in names)) return undefined
    return this.#with.naming.ids.isLeft(names.kind, String(value)) ? `the ${names.kind} ${String(value)}` : undefined
  }

  /**
   * A card of another tool whose spec was deleted here, moved to the spec "Imported", and that spec if it must be
   * created: cards of such tools have a spec.
   */
  async #housed(record: Incoming, { known }: Found): Promise<{ readonly record: Incoming; readonly spec?: Judged }> {
    const { naming, source, tally } = this.#with
    const parent = String(record.fields.spec_id)
    const isLost = record.type === 'card' && naming.ids.isLeft('spec', parent)
    if (!isLost || source.imported === undefined || known.has(record.id)) return { record }
    const { id, judged } = await this.#importedSpec(source.imported(record.place))
    tally.problem(record, 'changed', `The spec ${parent} was deleted here: it comes into the spec "Imported"`)
    const housed = { ...record, fields: { ...record.fields, spec_id: id } }
    return judged === undefined ? { record: housed } : { record: housed, spec: judged }
  }

  /** The spec "Imported" of this file or of an earlier import; created if there is none, or if it was deleted here. */
  async #importedSpec(spec: Incoming): Promise<{ readonly id: string; readonly judged?: Judged }> {
    const { naming, source, target, tally, read } = this.#with
    for (let number = 1; ; number++) {
      const id = number === 1 ? spec.id : `${spec.id}~${number}`
      if (naming.ids.isLeft('spec', id)) continue
      if (naming.ids.has('spec', id)) return { id }
      const known = await read(async ({ db }) => (await knownBy(db, target.boardId, source.format, [id])).get(id))
      if (known === undefined) {
        tally.count('spec', 'created')
        return { id, judged: this.#create({ ...spec, id }, nothing) }
      }
      const here = known.entity_id
      const row = await read(async ({ db }) => (await standing(db, target.boardId, 'spec', [here])).get(here))
      if (row?.board_id === target.boardId) {
        naming.ids.set('spec', id, here)
        return { id }
      }
      naming.ids.leave('spec', id)
    }
  }

  #create(given: Incoming, { numbers, told }: Pick<Found, 'numbers' | 'told'>): Judged {
    const { naming, keeps, newId, target } = this.#with
    const record = given.type === 'architecture' && !keeps ? withOwnParts(given, newId) : given
    const { type, id } = record
    const here = keeps ? id : (naming.ids.assigned(type, id) ?? newId())
    naming.ids.set(type, id, here)
    if (!target.made) this.#made.add(here)
    const row: Row = { ...rowOf(record, naming), id: here }
    this.#refuseRepeated(record, row)
    this.#number(record, row, numbers)
    if (type === 'attachment' && !target.made) row.filename = storedName(String(row.original_filename))
    if (type === 'card' && row.position === null && target.made) row.position = this.#position(String(row.status))
    if (type === 'repository') {
      row.name_key = nameKeyOf(String(row.name), row.path_prefix as string | null)
      // Otherwise its forge would keep sending what another service is meant to get.
      row.active = keeps ? 0 : 1
      this.#trust(row)
    }
    if (type === 'test_report' || type === 'proof_run') this.#asClaim(record, row)
    if (type === 'change' && row.kind === 'branch') row.content = withGap(row.content)
    if (type === 'graph_action') row.record_ref = naming.ids.inReference(String(row.record_ref))
    const writes = () => [...creation(record, row, target, naming), ...this.#marks(record, row, here, told)]
    return { record, here, row, writes }
  }

  /**
   * What is stored about an imported record: its external id and, if the log of the file does not record its origin, a
   * log entry.
   */
  #marks(record: Incoming, row: Row, here: string, told: Found['told'] = nothing.told): ImportWrite[] {
    const { source, caller } = this.#with
    const known = this.#remember(record, row, here)
    if (source.format === 'specboard' && !this.#isLogged(record, told)) return [known]
    const owner = ownerOf(record.type, row, here)
    return [known, importedEntry(record, here, owner, { source: source.format, by: caller })]
  }

  /**
   * Whether a record of an archive needs a log entry of its own: its log is left out, or ended before it was imported
   * again.
   */
  #isLogged({ type, id }: Incoming, told: Found['told']): boolean {
    const { source, target } = this.#with
    if (target.made || !logged.has(type)) return false
    return source.board.id !== target.boardId || told.has(id)
  }

  #remember(record: Incoming, row: Row, here: string): ImportWrite {
    const { source, target, now } = this.#with
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

  #refuseRepeated({ type, place, fields }: Incoming, row: Row): void {
    if (this.#with.again) return
    const once = (what: string, ...parts: readonly unknown[]) => {
      const key = JSON.stringify([what, ...parts])
      if (this.#unique.has(key)) throw refused(`There are two ${what}`, place)
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

  #refuseSequence(sequence: number, place: Place): void {
    if (this.#sequences.has(sequence)) throw refused('There are two entries of one sequence', place)
    this.#sequences.add(sequence)
  }

  #number(record: Incoming, row: Row, taken: ReadonlySet<number>): void {
    const { number } = row
    if (typeof number !== 'number') return
    if (partOf(record.type)) {
      // The numbers of an existing board continue: those in the file may be others' here.
      if (!this.#with.target.made) row.number = null
      return
    }
    if (this.#numbers.has(number)) throw refused(`There are two records of number ${number}`, record.place)
    this.#numbers.add(number)
    this.lastNumber = Math.max(this.lastNumber, number)
    const { target, keeps, tally } = this.#with
    if (target.made || (keeps && !taken.has(number))) return
    row.number = null
    if (keeps) tally.problem(record, 'changed', `Another record has the number ${number}: it gets the next one`)
  }

  #position(status: string): number {
    const position = this.#positions.get(status) ?? 0
    this.#positions.set(status, position + 1)
    return position
  }

  /** A global guideline that the caller may read is linked; any other is imported as the board's own. */
  async #guideline(record: Incoming, row: Row | undefined, { repeated }: Found): Promise<Judged | undefined> {
    const { tally, naming, target, newId, now, read } = this.#with
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
    if (scope === 'global') tally.problem(record, 'note', 'It was global where it comes from, and is one of this board')
    return this.#ownGuideline(record, row !== undefined)
  }

  #ownGuideline(record: Incoming, isTaken: boolean): Judged {
    const { naming, target, keeps, newId } = this.#with
    const here = keeps && !isTaken ? record.id : (naming.ids.assigned('guideline', record.id) ?? newId())
    naming.ids.set('guideline', record.id, here)
    if (!target.made) this.#made.add(here)
    const own = rowOf(record, naming)
    const row = { ...own, id: here, scope: 'inline' }
    // The digest of its scope tells an export what it was.
    const writes = () => [...creation(record, row, target, naming), ...this.#marks(record, own, here)]
    return { record, here, row, writes }
  }

  #dependency(record: Incoming): Judged | undefined {
    const { naming, waits } = this.#with
    const { fields } = record
    const card = naming.ids.of('card', String(fields.card_id))
    const dependsOn = naming.ids.of('card', String(fields.depends_on_id))
    if (card === undefined || dependsOn === undefined) return this.#away(record, 'It leads to a card that is not there')
    if (waits.has(card, dependsOn)) return this.#away(record, 'The same dependency is there')
    if (!waits.add(card, dependsOn)) return this.#away(record, 'It would close a circle')
    this.#with.tally.count('dependency', 'created')
    return this.#create(record, nothing)
  }

  /** A link of a change (git 11): it opens no gate, because imported data counts for none. */
  #changeLink(record: Incoming, { repeated }: Found): Judged | undefined {
    const { naming, target, tally } = this.#with
    const parent = this.#goneParent(record)
    if (parent !== undefined) return this.#away(record, `${parent} is not here`)
    const row = rowOf(record, naming)
    naming.ids.set('change_link', record.id, record.id)
    if (repeated.has(`${row.change_id} ${row.entity_id}`)) {
      tally.count('change_link', 'unchanged')
      return undefined
    }
    if (!target.made && !this.#made.has(String(row.change_id)))
      return this.#away(record, 'A link counts only for a change that the same import makes')
    tally.count('change_link', 'created')
    return { record, here: record.id, row, writes: () => creation(record, row, target, naming) }
  }

  /**
   * A result of a scenario, a waiver of a card or the tier of a done record (evidence 14): it comes with what the same
   * import makes, and opens no gate.
   */
  #keptWith(record: Incoming, { repeated }: Found): Judged | undefined {
    const { naming, target, tally, source } = this.#with
    const { type } = record
    const parent = this.#goneParent(record)
    if (parent !== undefined) return this.#away(record, `${parent} is not here`)
    const row: Row = {
      ...rowOf(record, naming),
      ...(type !== 'waiver' && { service: source.service ?? null }),
    }
    const owner = String(row.spec_id ?? row.card_id ?? row.entity_id)
    this.#refuseRepeated(record, row)
    if (repeated.has(type === 'scenario_result' ? resultKey(row) : owner)) {
      tally.count(type, 'unchanged')
      return undefined
    }
    if (!target.made && !this.#made.has(owner))
      return this.#away(record, 'It counts only for a record that the same import makes')
    tally.count(type, 'created')
    return { record, here: record.id, row, writes: () => creation(record, row, target, naming) }
  }

  /** Evidence as it stands here: a claim, with what it was where it comes from as text (evidence 14). */
  #asClaim({ type, fields }: Incoming, row: Row): void {
    const { naming, target, source } = this.#with
    row.origin = toJson({ tier: row.tier, tier_reason: row.tier_reason, service: source.service ?? null })
    row.tier = 'claimed'
    row.tier_reason = 'imported'
    row.records = toJson(
      (fields.records as { entity_type: string; entity_id: string }[]).flatMap(({ entity_id, ...spoken }) => {
        const here = naming.ids.of(spoken.entity_type, entity_id)
        return here === undefined || !(target.made || this.#made.has(here)) ? [] : [{ ...spoken, entity_id: here }]
      }),
    )
    if (type !== 'test_report') return
    // What is sent here is told apart from what came with imports: neither is the other once more.
    row.identity = `imported ${String(row.id)}`
    row.proof_run_id =
      fields.proof_run_id === null ? null : (naming.ids.assigned('proof_run', String(fields.proof_run_id)) ?? null)
  }

  /** Whose CI tokens count for a repository that a new board gets: who imports it set that, and no number is pinned (git 11). */
  #trust(row: Row): void {
    const { target, source, caller, now } = this.#with
    const trust = row.ci === null || !target.made ? null : JSON.parse(String(row.ci))
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

  /** What other tools call a record, as an archive tells it. */
  #externalId(record: Incoming, { known, elsewhere }: Found): Judged | undefined {
    const { naming, target, tally, now } = this.#with
    const { source, external_id, entity_type, created_at } = record.fields as Readonly<Record<string, string>>
    refuseElsewhere(record, elsewhere)
    const stands = known.has(record.id)
    const entity_id =
      naming.ids.of(entity_type!, record.fields.entity_id as string) ?? (record.fields.entity_id as string)
    if (!stands && !target.made && !this.#made.has(entity_id))
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

  /**
   * A record that exists here: what the file changed since the last import is changed, unless it was changed here or
   * the caller may not change it.
   */
  async #same(given: Incoming, before: Row, known: Known | undefined, found: Found): Promise<Judged | undefined> {
    const { naming, comparing, tally, source, caller } = this.#with
    const { type, id } = given
    const record = type === 'architecture' ? this.#withPartsOf(given, before, found) : given
    const here = String(before.id)
    naming.ids.set(type, id, here)
    if (!changing.has(type)) {
      tally.count(type, 'unchanged')
      return undefined
    }
    const row = rowOf(record, comparing)
    const kind = kindOf.get(type)!
    const { changed, kept } = merge(kind, { row, before, last: known?.imported }, name =>
      this.#isCompared(record, name),
    )
    this.#renameAuthors(record, before, changed)
    const isNameTaken = type === 'saved_search' && 'name' in changed && found.repeated.has(String(changed.name))
    if (isNameTaken) delete changed.name
    const stays = isNameTaken ? [...kept, 'name'] : kept
    if (stays.length > 0) tally.problem(record, 'changed', `Stays as it is here: ${stays.join(', ')}`)
    const changes = await this.#permitted(record, before, changed)
    tally.count(type, changes.length > 0 ? 'updated' : 'unchanged')
    if (changes.length === 0) return undefined
    return {
      record,
      here,
      row: { ...before, ...changed },
      before,
      writes: () => [
        ...this.#changes(record, before, changed, { changes, last: known?.imported ?? {}, at: row.updated_at }),
        importedEntry(record, here, ownerOf(type, before, here), { source: source.format, by: caller, changes }),
      ],
    }
  }

  /**
   * Sets the authors that the file may name on changed columns; a record in which nothing else differs is unchanged.
   */
  #renameAuthors(record: Incoming, before: Row, changed: Row): void {
    const { columns } = kindOf.get(record.type)!
    const names = Object.keys(changed)
    if (names.length === 0) return
    const named = rowOf(record, this.#with.naming)
    for (const name of names) {
      if (sameStored(columns[name]!, named[name], before[name])) delete changed[name]
      else changed[name] = named[name]
    }
  }

  /**
   * The fields of a record that the caller may change, each with its old and new value; the rest is left out, and
   * reported.
   */
  async #permitted(record: Incoming, before: Row, changed: Row): Promise<Change[]> {
    const { target, tally, read } = this.#with
    const { type } = record
    const { columns, together = [] } = kindOf.get(type)!
    const changes = Object.keys(changed).map(field => ({
      field,
      old: toRecord(columns[field]!, before[field] ?? null),
      new: toRecord(columns[field]!, changed[field] ?? null),
    }))
    if (changes.length === 0) return changes
    const refusals = await read(ctx => refusedFields(ctx, { boardId: target.boardId, type, before, changes }))
    for (const [name, reason] of refusals) {
      tally.problem(record, 'changed', `Stays as it is here: ${name} (${reason})`)
      for (const field of together.find(names => names.includes(name)) ?? [name]) delete changed[field]
    }
    return changes.filter(({ field }) => Object.hasOwn(changed, field))
  }

  /** Whether the file may change a column. */
  #isCompared(record: Incoming, name: string): boolean {
    if (!isGiven(record, name) || (record.type === 'guideline' && name === 'scope')) return false
    // A parent that was deleted here counts as absent from the file too.
    const lost = this.#lostParent(kindOf.get(record.type)!.columns[name]!, record.fields[name])
    return lost === undefined
  }

  /** The writes for changed columns of a record. */
  #changes(
    record: Incoming,
    before: Row,
    changed: Row,
    {
      changes,
      last,
      at,
    }: { readonly changes: readonly Change[]; readonly last: Known['imported']; readonly at: unknown },
  ): ImportWrite[] {
    const { source, naming, newId, now } = this.#with
    const kind = kindOf.get(record.type)!
    const digests = digestsOf(kind, changed, name => Object.hasOwn(changed, name))
    const known = (imported: Known['imported']): ImportWrite => ({
      kind: 'known',
      source: source.format,
      externalId: externalIdOf(source, record.type, record.id),
      imported: toJson({ ...last, ...imported }),
    })
    const written = { ...changed, ...followUps(record.type, before, changes), updated_at: at ?? now }
    if (record.type !== 'architecture') return [revision(record, before, written), known(digests)]
    const asImported = isAsImported(kind, before, last) && last.version === versionDigest(before)
    const design = designRevision(record, before, written, { naming, isAsImported: asImported, newId })
    return [design, known(asImported ? { ...digests, version: versionDigest(design.row) } : digests)]
  }

  #withPartsOf(record: Incoming, before: Row, { parts }: Found): Incoming {
    const { keeps, newId } = this.#with
    return withPartsOf(record, before, ({ id }) => (keeps && !parts.has(String(id)) ? String(id) : newId()))
  }
}

/** The key of an external record: ids in an archive are unique within a kind only. */
const externalIdOf = ({ format }: Source, type: RecordType, id: string): string =>
  format === 'specboard' ? `${type} ${id}` : id

/** The record in whose log an imported record appears. */
function ownerOf(type: RecordType, row: Row, here: string): { readonly type: string; readonly id: string } {
  if (type === 'knowledge' || type === 'question' || type === 'snapshot')
    return { type: String(row.owner_type), id: String(row.owner_id) }
  if (typeof row.card_id === 'string') return { type: 'card', id: row.card_id }
  return { type, id: here }
}

/** The content of a branch with missing commits: a sync brings them (git 5). */
const withGap = (content: unknown): string => toJson({ ...JSON.parse(String(content)), gap: true })

/** How the kinds are looked up that have no id of their own, and come with the record that they are kept with. */
const keptStanding = {
  scenario_result: resultsStanding,
  waiver: waiversStanding,
  done_tier: doneTiersStanding,
} as const

const isKeptWith = (type: RecordType): type is keyof typeof keptStanding => Object.hasOwn(keptStanding, type)

/** The record of the file that such a record is kept with. */
function keptOwner({ type, fields }: Incoming): { readonly kind: string; readonly id: string } {
  if (type === 'waiver') return { kind: 'card', id: String(fields.card_id) }
  if (type === 'scenario_result') return { kind: 'spec', id: String(fields.spec_id) }
  return { kind: String(fields.entity_type), id: String(fields.entity_id) }
}

/** What is said of the numbers of a kind of part; undefined for other records. */
const partOf = (type: RecordType) => tableNamed(kindOf.get(type)!.table)!.part

const isGiven = ({ given }: Incoming, name: string): boolean => given === undefined || given.includes(name)

/** The version of a design tells whether its own versions can be continued with those of the file. */
const versionDigest = ({ version }: Row): string => storedDigest(kindOf.get('architecture')!.columns.version!, version)

async function isReadable(ctx: Context, id: string): Promise<boolean> {
  try {
    await readableGuideline(ctx, id)
    return true
  } catch (error) {
    if (error instanceof DomainError) return false
    throw error
  }
}
