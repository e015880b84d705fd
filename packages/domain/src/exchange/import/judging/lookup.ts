import type { Context } from '../../../kernel/context.ts'
import type { RecordType } from '../../kinds/kinds.ts'
import { partsOf } from '../designs.ts'
import {
  type EarlierImport,
  existingAuthors,
  existingChanges,
  existingLinks,
  existingParts,
  existingRows,
  knowledgeOnOtherCards,
  knownBy,
  linkedGuidelines,
  loggedRecords,
  numbersTaken,
  repositoryNames,
  searchNames,
  snapshotVersions,
} from '../known.ts'
import { namedBy } from '../named.ts'
import type { Row } from '../rows.ts'
import type { SourceRecord } from '../source.ts'
import { externalIdOf, logged, partOf } from './facts.ts'
import type { JudgingParts } from './judging.ts'
import { existingKept, isKeptWith, keptOwner } from './kept.ts'

/** The existing records for a batch, and for what the batch refers to. */
export interface BatchLookup {
  readonly known: ReadonlyMap<string, EarlierImport>
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
  readonly mentioned: ReadonlySet<string>
  /** Records named by log entries or external ids that exist elsewhere. */
  readonly elsewhere: ReadonlySet<string>
}

/** The lookup result for a new board, on which nothing exists yet. */
export const emptyLookup: BatchLookup = {
  known: new Map(),
  standing: new Map(),
  numbers: new Set(),
  repeated: new Set(),
  parts: new Set(),
  mentioned: new Set(),
  elsewhere: new Set(),
}

/** Looks up everything that is needed to judge a batch of records, in one go. */
export class Lookup {
  readonly #judging: JudgingParts
  /** Ids of knowledge in cards of other boards, looked up when the first knowledge record is read. */
  #onOtherCards: ReadonlySet<string> | undefined

  constructor(judging: JudgingParts) {
    this.#judging = judging
  }

  /** The board's existing records for a batch of one kind, and for what they refer to. */
  async find(records: readonly SourceRecord[]): Promise<BatchLookup> {
    const { source, target, keeps, again, read } = this.#judging
    const { type } = records[0]!
    if (type === 'external_id') return this.#findExternal(records)
    if (type === 'change_link') return this.#findLinks(records)
    if (isKeptWith(type)) return this.#findKept(records)
    // A guideline may be global here, which has to be looked up.
    if (again && type !== 'guideline') return emptyLookup
    if (target.isNew && !keeps) return { ...emptyLookup, elsewhere: await this.elsewhere(records) }
    const ids = records.map(({ id }) => id)
    const found = await read(async ({ db }) => {
      const imports = target.isNew
        ? new Map<string, EarlierImport>()
        : await knownBy(
            db,
            target.boardId,
            source.format,
            records.map(record => externalIdOf(source, record.type, record.id)),
          )
      const here = [...(keeps ? ids : []), ...[...imports.values()].map(({ entity_id }) => entity_id)]
      const ofRecords = partOf(type) ? [] : records
      const numbers = ofRecords.map(({ fields }) => fields.number).filter(number => typeof number === 'number')
      return {
        ...emptyLookup,
        known: imports,
        standing: await existingRows(db, target.boardId, type, here),
        ...(!target.isNew && {
          numbers: await numbersTaken(db, target.boardId, numbers),
          mentioned: keeps && logged.has(type) ? await loggedRecords(db, target.boardId, ids) : emptyLookup.mentioned,
          repeated: await this.#repeated(db, records),
        }),
        ...(type === 'architecture' && keeps && { parts: await existingParts(db, records.flatMap(partsOf)) }),
      }
    })
    if (type === 'knowledge' && keeps) this.#onOtherCards ??= await knowledgeOnOtherCards(read, target.boardId)
    return { ...found, elsewhere: await this.elsewhere(records) }
  }

  async #findLinks(records: readonly SourceRecord[]): Promise<BatchLookup> {
    const { target, naming, read } = this.#judging
    if (target.isNew) return emptyLookup
    const changes = records.flatMap(({ fields }) => naming.ids.of('change', String(fields.change_id)) ?? [])
    return { ...emptyLookup, repeated: await read(({ db }) => existingLinks(db, changes)) }
  }

  /** Results, waivers and tiers of done records that already exist on the board. */
  async #findKept(records: readonly SourceRecord[]): Promise<BatchLookup> {
    const { target, naming, read } = this.#judging
    const { type } = records[0]!
    if (target.isNew || !isKeptWith(type)) return emptyLookup
    const owners = records.flatMap(record => {
      const { kind, id } = keptOwner(record)
      return naming.ids.of(kind, id) ?? []
    })
    return { ...emptyLookup, repeated: await read(({ db }) => existingKept[type](db, owners)) }
  }

  async #findExternal(records: readonly SourceRecord[]): Promise<BatchLookup> {
    const { target, again, read } = this.#judging
    const imports = new Map<string, EarlierImport>()
    if (!target.isNew)
      for (const [source, group] of Map.groupBy(records, ({ fields }) => String(fields.source))) {
        const ids = group.map(({ fields }) => String(fields.external_id))
        for (const [id, imported] of await read(({ db }) => knownBy(db, target.boardId, source, ids)))
          imports.set(`${source} ${id}`, imported)
      }
    return { ...emptyLookup, known: imports, elsewhere: again ? emptyLookup.elsewhere : await this.elsewhere(records) }
  }

  /** The things on the board that some records would repeat. */
  async #repeated(db: Context['db'], records: readonly SourceRecord[]): Promise<ReadonlySet<string>> {
    const { boardId } = this.#judging.target
    const { type } = records[0]!
    if (type === 'saved_search') return searchNames(db, boardId)
    if (type === 'guideline') return linkedGuidelines(db, boardId)
    if (type === 'repository') return repositoryNames(db, boardId)
    if (type === 'author') return existingAuthors(db, boardId)
    if (type === 'change') {
      const keys = records.map(({ fields }) => String(fields.key))
      return existingChanges(db, boardId, keys)
    }
    if (type !== 'snapshot') return emptyLookup.repeated
    return snapshotVersions(
      db,
      boardId,
      records.map(record => this.ownerHere(record)),
    )
  }

  /** The id here of the planning record that a part belongs to. */
  ownerHere({ fields }: SourceRecord): string {
    const { owner_type, owner_id } = fields as Readonly<Record<string, string>>
    return this.#judging.naming.ids.of(owner_type!, owner_id!) ?? owner_id!
  }

  /** The records named by entries or external ids that are not in the file, and exist elsewhere. */
  async elsewhere(records: readonly SourceRecord[]): Promise<ReadonlySet<string>> {
    const { naming, target, again, read } = this.#judging
    if (again) return emptyLookup.elsewhere
    await this.#recall(records.flatMap(namedBy))
    const absent = records.flatMap(namedBy).filter(({ kind, id }) => !naming.ids.has(kind, id))
    const found = new Set<string>()
    for (const [kind, group] of Map.groupBy(absent, ({ kind }) => kind)) {
      const ids = group.map(({ id }) => id)
      const rows = await read(({ db }) => existingRows(db, target.boardId, kind, ids))
      for (const [id, row] of rows) if (target.isNew || row.board_id !== target.boardId) found.add(`${kind} ${id}`)
    }
    return found
  }

  /** Records that were imported earlier, and have since been deleted at the source, keep the ids that they got then. */
  async #recall(names: readonly { readonly kind: RecordType; readonly id: string }[]): Promise<void> {
    const { source, target, keeps, naming, read } = this.#judging
    if (source.format !== 'specboard' || keeps || target.isNew) return
    const absent = names.filter(({ kind, id }) => !naming.ids.has(kind, id))
    if (absent.length === 0) return
    const ids = absent.map(({ kind, id }) => externalIdOf(source, kind, id))
    const imports = await read(({ db }) => knownBy(db, target.boardId, source.format, ids))
    for (const { kind, id } of absent) {
      const here = imports.get(externalIdOf(source, kind, id))?.entity_id
      if (here !== undefined) naming.ids.set(kind, id, here)
    }
  }

  /** Whether the id of knowledge is taken in a card of another board. */
  isOnOtherCard({ type, id }: SourceRecord): boolean {
    return type === 'knowledge' && this.#onOtherCards?.has(id) === true
  }
}
