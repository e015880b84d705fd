import type { InPieces } from '@specboard/contract'
import { closingCircles } from './circles.ts'
import type { Fields } from './fields.ts'
import { importedFields, isEmpty, type KeptField } from './imported-fields.ts'
import { inPieces } from './in-pieces.ts'
import { longestKnowledge, longestName, partsOf, start, storable, withinLimits } from './limits.ts'
import { namesZone } from './moments.ts'
import type {
  Entry,
  NeutralCard,
  NeutralDependency,
  NeutralKnowledge,
  NeutralRecord,
  NeutralSpec,
  NeutralType,
  Place,
  Problem,
  Reading,
  Severity,
} from './neutral.ts'
import { knowledge, ownSpec } from './records.ts'

/** What a problem is about. */
type About = Partial<Pick<Problem, 'kind' | 'id'>> & { readonly place: Place }

/**
 * The records and problems of a source, gathered as a reader finds them. It keeps what all formats have in common:
 * limits of fields, unique ids, fields without a place, links that cannot stand.
 */
export class Collected {
  /** All ids that were given out. */
  readonly #ids = new Set<string>()
  /** The number that the next record of an id gets behind it; none for an id that was asked for once. */
  readonly #nextNumbers = new Map<string, number>()
  readonly #records = new Map<string, NeutralRecord>()
  readonly #byType: Readonly<Record<NeutralType, NeutralRecord[]>> = {
    guideline: [],
    spec: [],
    card: [],
    knowledge: [],
    comment: [],
    dependency: [],
  }
  readonly #links = new Map<string, NeutralDependency>()
  readonly #problems: Problem[] = []
  #hasLocalTimes = false
  readonly #kept = new Map<string, { owner: NeutralSpec | NeutralCard; fields: KeptField[] }>()

  /** An id for a record: the given one, or that with a number behind it where it is in use. */
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

  /** Adds a record, within the limits of its fields. Knowledge and comments without content are skipped. */
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

  /** The card waits for the other one. A link that is read twice is one link. */
  link(link: Omit<NeutralDependency, 'type' | 'id'>): void {
    const id = `${link.card_id}>${link.depends_on_id}`
    if (!this.#links.has(id)) this.#links.set(id, storable({ ...link, type: 'dependency', id }))
  }

  /** A field that no field of a record takes: it goes to the record's "Imported fields". Empty ones go nowhere. */
  keep(owner: NeutralSpec | NeutralCard, name: string, value: unknown): void {
    if (isEmpty(value)) return
    const kept = this.#kept.get(owner.id) ?? { owner, fields: [] }
    this.#kept.set(owner.id, kept)
    kept.fields.push({ name, value: storable(value) })
  }

  keepAll(owner: NeutralSpec | NeutralCard, fields: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(fields)) this.keep(owner, name, value)
  }

  /** Fields of the source as a whole: they go to the "Imported fields" of the spec "Imported", which empty ones do not make. */
  keepOfSource(fields: Readonly<Record<string, unknown>>, place: Place): void {
    if (!isEmpty(fields)) this.keepAll(this.imported(place), fields)
  }

  /** A time of a format whose times name no zone as a rule: if any does not, one note tells how they are read. */
  moment(fields: Fields, name: string): string | null {
    const moment = fields.moment(name)
    if (moment !== null && !namesZone(fields.text(name)!)) this.#hasLocalTimes = true
    return moment
  }

  /** The spec with the title that the reader adds by itself, in progress; one for all records that belong to it. */
  ownSpec(title: string, place: Place, said: Partial<NeutralSpec> = {}): NeutralSpec {
    const made = ownSpec(title, place, said)
    const present = this.#records.get(made.id)
    if (present?.type === 'spec') return present
    this.add(made)
    return made
  }

  /** The spec for what belongs to no other. */
  imported(place: Place): NeutralSpec {
    return this.ownSpec('Imported', place)
  }

  skipped(about: About, reason: string): void {
    this.#tell('skipped', about, reason)
  }

  /** Tells of files that are not read. */
  skipFiles(entries: readonly Entry[], reason: string): void {
    for (const { name } of entries) this.skipped({ place: { entry: name, line: null } }, reason)
  }

  changed(about: About, reason: string): void {
    this.#tell('changed', about, reason)
  }

  note(about: About, reason: string): void {
    this.#tell('note', about, reason)
  }

  /** The reading, when everything has been read. */
  *finish(name: string): InPieces<Reading> {
    yield* this.#addImportedFields()
    yield* this.#addLinks()
    if (this.#hasLocalTimes)
      this.note({ place: { entry: null, line: null } }, 'Dates and times that name no zone are read as UTC.')
    return { board: { name: boardName(name) }, records: Object.values(this.#byType).flat(), problems: this.#problems }
  }

  #tell(severity: Severity, { place, kind = null, id = null }: About, reason: string): void {
    this.#problems.push({ entry: place.entry, line: place.line, kind, id, reason, severity })
  }

  /** A record with a title, and with texts that can be stored. */
  #sound<R extends NeutralRecord>(record: R): R {
    const stored = storable(record)
    if (stored !== record)
      this.changed(aboutRecord(record), 'NUL characters are left out, halves of characters are replaced.')
    if (!('title' in stored) || stored.title.trim() !== '') return stored
    this.changed(aboutRecord(record), 'It has no title.')
    return { ...stored, title: 'Untitled' }
  }

  /** The record that has the "Imported fields" of another. */
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
    this.#records.set(record.id, record)
    this.#byType[record.type].push(record)
  }

  #addKnowledge(entry: NeutralKnowledge): void {
    const parts = partsOf(entry.content, longestKnowledge)
    if (parts.length > 1)
      this.changed(aboutRecord(entry), `It is divided into ${parts.length} parts of ${longestKnowledge} characters.`)
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
      else this.skipped(aboutRecord(link), `A link to ${missing}, which is no card here.`)
    })
    const closing = yield* closingCircles(standing)
    yield* inPieces(standing, link => {
      if (closing.has(link)) this.skipped(aboutRecord(link), 'The link closes a circle with links before it.')
      else this.#store(link)
    })
  }
}

const aboutRecord = ({ place, type, id }: NeutralRecord): Required<About> => ({ place, kind: type, id })

const boardName = (name: string): string => start(storable(name).trim(), longestName) || 'Imported'
