/** Reads a CSV file of issues (exchange 2.5). */
import { Collected } from '../collected.ts'
import { stemOf } from '../files.ts'
import { momentOf } from '../moments.ts'
import type { Entry, NeutralCard, NeutralSpec, Reader, ReadOptions, Source } from '../neutral.ts'
import { card, distinct, partOf, spec } from '../records.ts'
import { columnsOf } from './columns.ts'
import { type Item, Items, idOf, itemOf } from './rows.ts'
import { headerOf, rowsOf } from './table.ts'
import { type Field, plain, priorities, specStatuses, statuses } from './words.ts'

/** Rows turned into records in one piece of work. */
const rowsOfAPiece = 200

/** The file with a header row that has a title. @throws Unreadable for a mapping that does not fit */
export const csvFile = ({ entries }: Source, { mapping }: ReadOptions): Entry | undefined =>
  entries.find(
    ({ name, text }) =>
      text !== null &&
      (name === null || /\.(?:csv|tsv|txt)$/i.test(name)) &&
      columnsOf(headerOf(text), mapping).includes('title'),
  )

export const readCsv: Reader = function* (source, options) {
  const collected = new Collected()
  const file = csvFile(source, options)!
  for (const entry of source.entries)
    if (entry !== file) collected.skipped({ place: { entry: entry.name, line: null } }, 'It is no table of issues.')
  const [header, ...rows] = yield* rowsOf(file.text ?? '', file.name)
  const columns = columnsOf(header!.cells, options.mapping)
  const items = new Items(rows.map(row => itemOf(row, header!.cells, columns)))
  const reader = new ItemReader(collected, items)
  for (const step of [reader.readSpec, reader.readCard, reader.readLinks].map(method => method.bind(reader)))
    for (const [index, item] of items.all.entries()) {
      step(item)
      if (index % rowsOfAPiece === 0) yield
    }
  return yield* collected.finish(options.name ?? (source.filename && stemOf(source.filename)) ?? 'CSV')
}

/** Turns rows into specs and cards. */
class ItemReader {
  readonly #collected: Collected
  readonly #items: Items
  readonly #ids: ReadonlyMap<Item, string>

  constructor(collected: Collected, items: Items) {
    this.#collected = collected
    this.#items = items
    this.#ids = new Map(
      items.all.map(item => [
        item,
        collected.freeId(idOf(item), { place: item.place, kind: items.isParent(item) ? 'spec' : 'card' }),
      ]),
    )
  }

  /** A row that others name as their parent. */
  readSpec(item: Item): void {
    if (!this.#items.isParent(item)) return
    const parent = this.#items.parentOf(item)
    const shared = this.#shared(item)
    const record = spec({
      ...shared,
      status: specStatuses[this.#status(item, 'spec', shared.id)],
      context:
        parent === undefined
          ? null
          : typeof parent === 'string'
            ? partOf(parent, parent)
            : partOf(this.#ids.get(parent)!, parent.text('title') ?? ''),
    })
    if (typeof parent === 'string') this.#namedSpec(parent, item)
    this.#collected.add(record)
    this.#keepRest(item, record)
    for (const field of ['priority', 'due'] as const) this.#collected.keep(record, field, item.text(field))
  }

  readCard(item: Item): void {
    if (this.#items.isParent(item)) return
    const shared = this.#shared(item)
    const record = card({
      ...shared,
      spec_id: this.#specOf(item),
      status: this.#status(item, 'card', shared.id),
      priority: this.#priority(item, shared.id),
      due_date: momentIn(item, 'due'),
    })
    this.#collected.add(record)
    this.#keepRest(item, record)
    this.#keepUnread(item, record, 'due')
  }

  /** Links between cards, when all rows are read. */
  readLinks(item: Item): void {
    const id = this.#ids.get(item)!
    for (const name of item.list('blocked_by')) {
      const target = this.#items.named(name)
      const spec = [item, target].find(end => end !== undefined && this.#items.isParent(end))
      if (spec === undefined)
        this.#collected.link({
          card_id: id,
          depends_on_id: (target && this.#ids.get(target)) ?? name,
          place: item.place,
          created_at: null,
        })
      else
        this.#collected.note(
          { place: item.place, kind: spec === item ? 'spec' : 'card', id },
          `It is blocked by ${name}. ${this.#ids.get(spec)} is a spec, and only cards depend on one another.`,
        )
    }
  }

  /** What specs and cards take alike from a row. */
  #shared(item: Item) {
    const [assignee, ...others] = item.list('assignee')
    return {
      id: this.#ids.get(item)!,
      place: item.place,
      title: item.text('title') ?? '',
      description: item.text('description'),
      assignee_id: assignee?.replace(/^@/, '') ?? null,
      labels: distinct([...item.list('labels'), ...others.map(name => `also:@${name.replace(/^@/, '')}`)]),
      created_by: item.text('author'),
      created_at: momentIn(item, 'created'),
      updated_at: momentIn(item, 'updated'),
    }
  }

  #specOf(item: Item): string {
    const parent = this.#items.parentOf(item)
    if (parent === undefined) return this.#collected.imported(item.place).id
    return typeof parent === 'string' ? this.#namedSpec(parent, item) : this.#ids.get(parent)!
  }

  /** The spec for a parent that is no row. */
  #namedSpec(name: string, { place }: Item): string {
    return this.#collected.ownSpec(name, place).id
  }

  #status(item: Item, kind: 'card' | 'spec', id: string): NeutralCard['status'] {
    const written = item.text('status')
    const read = statuses.get(plain(written ?? 'open'))
    if (read === undefined)
      this.#collected.note({ place: item.place, kind, id }, `The status "${written}" is read as not started.`)
    return read ?? 'not_started'
  }

  #priority(item: Item, id: string): NeutralCard['priority'] {
    const written = item.text('priority')
    const read = priorities.get(plain(written ?? 'none'))
    if (read === undefined)
      this.#collected.note({ place: item.place, kind: 'card', id }, `The priority "${written}" is read as none.`)
    return read ?? 'none'
  }

  /** Keeps what no field of a record takes. */
  #keepRest(item: Item, record: NeutralSpec | NeutralCard): void {
    this.#collected.keep(record, 'other ids', item.list('id').slice(1))
    this.#keepUnread(item, record, 'created', 'updated')
    this.#collected.keepAll(record, item.rest())
  }

  /** Keeps times that cannot be read. */
  #keepUnread(item: Item, record: NeutralSpec | NeutralCard, ...fields: readonly Field[]): void {
    for (const field of fields)
      if (momentIn(item, field) === null) this.#collected.keep(record, field, item.text(field))
  }
}

const momentIn = (item: Item, field: Field): string | null => momentOf(item.text(field) ?? '')
