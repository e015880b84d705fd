import { type InPieces, inOneLine } from '@specboard/contract'
import { closingCircles } from './circles.ts'
import type { Fields } from './fields.ts'
import { type Claim, identities, type KnownRecords } from './identity.ts'
import { importedFields, isEmpty, type KeptField } from './imported-fields.ts'
import { inPieces } from './in-pieces.ts'
import {
  lineAbove,
  maxKnowledgeLength,
  maxLineLength,
  maxNameLength,
  partsOf,
  start,
  storable,
  withinLimits,
} from './limits.ts'
import { namesZone } from './moments.ts'
import type {
  Entry,
  NeutralCard,
  NeutralDependency,
  NeutralKnowledge,
  NeutralRecord,
  NeutralSpec,
  NeutralType,
  SourceContent,
  SourcePlace,
} from './neutral.ts'
import { type About, aboutRecord, Problems } from './problems.ts'
import { knowledge, ownSpec } from './records.ts'
import { Mapping } from './words/mapping.ts'
import { type EndHints, outcomeOf } from './words/outcome.ts'
import type { Status } from './words/tables.ts'
import { Words } from './words/words.ts'

/**
 * Collects the records and problems of a source while a reader finds them. It does what all formats need: field limits,
 * unique ids, fields without a counterpart, invalid links.
 */
export class Collection {
  /** Interprets words of the source. */
  readonly words: Words
  /** All ids that were assigned. */
  readonly #ids = new Set<string>()
  /** The suffix number for the next record with an id; absent for an id that was requested only once. */
  readonly #nextNumbers = new Map<string, number>()
  readonly #records = new Map<string, NeutralRecord>()
  readonly #byType: Readonly<Record<NeutralType, NeutralRecord[]>> = {
    guideline: [],
    ideation: [],
    spec: [],
    card: [],
    knowledge: [],
    comment: [],
    dependency: [],
  }
  readonly #links = new Map<string, NeutralDependency>()
  readonly #problems = new Problems()
  readonly #known: KnownRecords | undefined
  #hasLocalTimes = false
  readonly #kept = new Map<string, { owner: NeutralSpec | NeutralCard; fields: KeptField[] }>()

  /** @param existing the records of an earlier import into the board */
  constructor(mapping: Mapping = new Mapping(undefined), existing?: KnownRecords) {
    this.words = new Words(mapping)
    this.#known = existing
  }

  /** An id for a record: the given one, or that with a number appended if it is taken. */
  freeId(id: string, about: About): string {
    if (!this.#ids.has(id)) {
      this.#ids.add(id)
      return id
    }
    let number = this.#nextNumbers.get(id) ?? 2
    while (this.#ids.has(`${id}~${number}`)) number++
    this.#nextNumbers.set(id, number + 1)
    const free = `${id}~${number}`
    this.#ids.add(free)
    this.changed({ ...about, id: free }, `The id ${id} is used more than once; this one is read as ${free}.`)
    return free
  }

  /**
   * The ids of records when all of them are known, independent of the order of files or rows (imports 3); repeated ids
   * in the source are reported.
   */
  identified(claims: readonly (Claim & About)[]): string[] {
    const titled = claims.map(claim => ({ ...claim, title: inOneLine(claim.title) }))
    return identities(titled, this.#known).map((id, at) => {
      const { kind = null, place, id: own } = claims[at]!
      const free = this.freeId(id, { place, kind })
      if (id !== own)
        this.changed({ place, kind, id: free }, `The id ${own} is used more than once; this one is read as ${free}.`)
      return free
    })
  }

  /** Adds a record, cut to the limits of its fields. Knowledge and comments without content are skipped. */
  add(record: Exclude<NeutralRecord, NeutralDependency>): void {
    if ((record.type === 'knowledge' || record.type === 'comment') && record.content.trim() === '') {
      this.skipped(aboutRecord(record), 'It is empty.')
      return
    }
    const { record: limited, cuts } = withinLimits(this.#sound(record))
    for (const { field, whole, reason } of cuts) {
      const owner = this.#ownerOf(limited)
      this.changed(aboutRecord(limited), `${reason} "Imported fields" has what is left out.`)
      this.keep(owner, owner.id === limited.id ? field : `${field} of ${limited.type} ${limited.id}`, whole)
    }
    if (limited.type === 'knowledge') this.#addKnowledge(limited)
    else this.#store(limited)
  }

  /** Adds a dependency: the card waits for the other one. Repeated links are added once. */
  link(link: Omit<NeutralDependency, 'type' | 'id'>): void {
    const id = `${link.card_id}>${link.depends_on_id}`
    if (!this.#links.has(id)) this.#links.set(id, storable({ ...link, type: 'dependency', id }))
  }

  /**
   * Keeps a field without a counterpart in the record: it goes to the record's "Imported fields". Empty ones are
   * dropped.
   */
  keep(owner: NeutralSpec | NeutralCard, name: string, value: unknown): void {
    if (isEmpty(value)) return
    const entry = this.#kept.get(owner.id) ?? { owner, fields: [] }
    this.#kept.set(owner.id, entry)
    entry.fields.push({ name, value: storable(value) })
  }

  keepAll(owner: NeutralSpec | NeutralCard, fields: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(fields)) this.keep(owner, name, value)
  }

  /**
   * Keeps fields of the source as a whole: they go to the "Imported fields" of the spec "Imported", which is not
   * created for empty ones.
   */
  keepOfSource(fields: Readonly<Record<string, unknown>>, place: SourcePlace): void {
    if (!isEmpty(fields)) this.keepAll(this.imported(place), fields)
  }

  /** Reads a time in a format whose times usually have no zone: if any has none, one note says how they are read. */
  moment(fields: Fields, name: string): string | null {
    const moment = fields.moment(name)
    if (moment !== null && !namesZone(fields.text(name)!)) this.#hasLocalTimes = true
    return moment
  }

  /**
   * A spec in progress that the reader adds itself, identified by its title. It is created once and returned for
   * further records with that title.
   */
  ownSpec(title: string, place: SourcePlace, fields: Partial<NeutralSpec> = {}): NeutralSpec {
    const record = ownSpec(title, place, fields)
    const present = this.#records.get(record.id)
    if (present?.type === 'spec') return present
    this.add(record)
    return record
  }

  /** The spec for records without a spec of their own. */
  imported(place: SourcePlace): NeutralSpec {
    return this.ownSpec('Imported', place)
  }

  /**
   * The text of a file; null if it is not read, which is reported.
   * @param lines `any` if the format has no text lines, such as JSON
   */
  textOf(entry: Entry, lines: 'any' | 'short' = 'short'): string | null {
    const { name, text, encoding } = entry
    this.#problems.names(name)
    if (text === null) this.notRead({ place: { entry: name, line: null } }, whyNoText(entry))
    if (encoding === 'Windows-1252')
      this.note({ place: { entry: name, line: null } }, 'It is not UTF-8 and is read as Windows-1252.')
    const long = text === null || lines === 'any' ? null : lineAbove(text, maxLineLength)
    if (long === null) return text
    this.notRead({ place: { entry: name, line: long } }, `The line is longer than ${maxLineLength} characters.`)
    return null
  }

  /** Marks a file as used although no record has it as its place. */
  uses({ name }: Entry): void {
    this.#problems.names(name)
  }

  /** Reports a record, or without a kind a file, that is left out on purpose. */
  skipped(about: About, reason: string): void {
    this.#problems.tell('skipped', about, reason)
  }

  /** Reports a link whose target is ambiguous or missing: `reference` is its name in the source. */
  skippedLink(card_id: string, reference: string, place: SourcePlace, reason: string): void {
    this.skipped({ place, kind: 'dependency', id: `${card_id}>${reference}` }, reason)
  }

  /** Reports something that could not be understood; the rest is imported (imports 1). */
  notRead(about: About, reason: string): void {
    this.#problems.tell('not_read', about, reason)
  }

  /** Reports files that are not read. */
  skipFiles(entries: readonly Entry[], reason: string): void {
    for (const { name } of entries) this.skipped({ place: { entry: name, line: null } }, reason)
  }

  changed(about: About, reason: string): void {
    this.#problems.tell('changed', about, reason)
  }

  note(about: About, reason: string): void {
    this.#problems.tell('note', about, reason)
  }

  /** Counts something that the source does not state and that was inferred, such as "an order within a phase". */
  infer(inference: string): void {
    this.#problems.infer(inference)
  }

  /** The status of a record whose source has more evidence of it than one word (imports 4). */
  outcome(status: Status, hints: EndHints): Status {
    const { status: end, because } = outcomeOf(status, hints)
    if (because !== null) this.infer(`the status ${end} from ${because}`)
    return end
  }

  /**
   * The result, once everything has been read.
   * @param entries all files of the source: unmentioned ones are reported as skipped
   */
  *finish(name: string, entries: readonly Entry[] = []): InPieces<SourceContent> {
    yield* this.#addImportedFields()
    yield* this.#addLinks()
    if (this.#hasLocalTimes) this.note({ place: nowhere }, 'Dates and times that name no zone are read as UTC.')
    this.skipFiles(this.#problems.unnamed(entries), 'The format has no such file.')
    this.#tellOfWords()
    return {
      board: { name: boardName(name) },
      records: Object.values(this.#byType).flat(),
      problems: this.#problems.all,
      mapped_words: this.words.counted.map(({ place: _, ...word }) => word),
      inferred: this.#problems.inferred,
    }
  }

  /** Reports each unknown word once (imports 4). */
  #tellOfWords(): void {
    for (const { field, word, value, count, by, place } of this.words.counted)
      if (by === 'default')
        this.note(
          { place },
          `The ${field} "${word}" (${count} times) is not known and read as ${value}. ` +
            `A mapping can change it: ${field}.${word}=…`,
        )
    for (const { field, word } of this.words.unused)
      this.note({ place: nowhere }, `The mapping names the ${field} "${word}", which the source does not have.`)
  }

  /** A record with a title in one line (crew 9.14), and with texts that can be stored. */
  #sound<R extends NeutralRecord>(record: R): R {
    const stored = storable(record)
    if (stored !== record)
      this.changed(aboutRecord(record), 'NUL characters are left out, half characters are replaced.')
    if (!('title' in stored)) return stored
    const title = inOneLine(stored.title.trim() === '' ? 'Untitled' : stored.title)
    if (title === stored.title) return stored
    this.changed(aboutRecord(record), title === 'Untitled' ? 'It has no title.' : 'Its title is written in one line.')
    return { ...stored, title }
  }

  /** The record whose "Imported fields" contain those of another. */
  #ownerOf(record: Exclude<NeutralRecord, NeutralDependency>): NeutralSpec | NeutralCard {
    if (record.type === 'spec' || record.type === 'card') return record
    const owner =
      record.type === 'comment'
        ? this.#records.get(record.card_id)
        : record.type === 'knowledge'
          ? this.#records.get(record.owner_id)
          : undefined
    return owner?.type === 'spec' || owner?.type === 'card' ? owner : this.imported(record.place)
  }

  #store(record: NeutralRecord): void {
    this.#problems.names(record.place.entry)
    this.#records.set(record.id, record)
    this.#byType[record.type].push(record)
  }

  #addKnowledge(entry: NeutralKnowledge): void {
    const parts = partsOf(entry.content, maxKnowledgeLength)
    if (parts.length > 1)
      this.changed(aboutRecord(entry), `It is divided into ${parts.length} parts of ${maxKnowledgeLength} characters.`)
    for (const [index, content] of parts.entries()) {
      const part =
        index === 0
          ? entry
          : { ...entry, id: `${entry.id}~${index + 1}`, title: `${start(entry.title, 480)} (${index + 1})` }
      this.#store({ ...part, content })
    }
  }

  #addImportedFields(): InPieces<void> {
    return inPieces([...this.#kept.values()], ({ owner, fields }) => {
      const { id, place, type } = owner
      const names = new Set(fields.map(({ name }) => name))
      this.note(aboutRecord(owner), `Kept in "Imported fields": ${[...names].join(', ')}.`)
      this.add(
        knowledge({
          id: `${id}#imported-fields`,
          place,
          owner_type: type,
          owner_id: id,
          title: 'Imported fields',
          content: importedFields(fields),
          created_at: owner.created_at,
        }),
      )
    })
  }

  *#addLinks(): InPieces<void> {
    const standing: NeutralDependency[] = []
    yield* inPieces(this.#links.values(), link => {
      const missing = [link.card_id, link.depends_on_id].find(id => this.#records.get(id)?.type !== 'card')
      if (missing === undefined) standing.push(link)
      else this.skipped(aboutRecord(link), `A link to ${missing}, which is not a card here.`)
    })
    const closing = yield* closingCircles(standing)
    yield* inPieces(standing, link => {
      if (closing.has(link)) this.skipped(aboutRecord(link), 'The link closes a cycle with earlier links.')
      else this.#store(link)
    })
  }
}

const nowhere: SourcePlace = { entry: null, line: null }

const whyNoText = ({ bytes }: Entry): string =>
  bytes?.includes(0) === false
    ? 'It is not text.'
    : 'It has NUL characters and so is not text. Text in UTF-16 needs a byte order mark; save it as UTF-8.'

const boardName = (name: string): string => start(storable(name).trim(), maxNameLength) || 'Imported'
