import type { Collection } from '../collected.ts'
import type { NeutralCard, NeutralConclusion, NeutralSpec } from '../neutral.ts'
import { card, comment, conclusion, distinct, partOf, spec } from '../records.ts'
import { specStatuses } from '../words/spec-status.ts'
import type { Status } from '../words/tables.ts'
import type { Field } from './field-names.ts'
import { digest, ownId, type UniqueIds } from './identity.ts'
import type { Item } from './item.ts'
import { type AbsentParent, isRow, type Parents, specIdOf } from './parents.ts'
import { accountNames, assigneesOf, authorOf } from './people.ts'
import type { References } from './references.ts'
import { otherRelations, relationsOf } from './relations.ts'
import { boxesWithDetails, closedAt, isArchived, numberedPriorities, statusOf } from './state.ts'

interface Tables {
  readonly collected: Collection
  readonly items: readonly Item[]
  readonly ids: UniqueIds
  readonly references: References
  readonly parents: Parents
}

/** Converts rows to specs and cards. */
export class ItemReader {
  readonly #collected: Collection
  readonly #ids: UniqueIds
  readonly #references: References
  readonly #parents: Parents
  readonly #accounts: ReadonlyMap<string, string>

  constructor({ collected, items, ids, references, parents }: Tables) {
    this.#collected = collected
    this.#ids = ids
    this.#references = references
    this.#parents = parents
    this.#accounts = accountNames(items)
  }

  /** Reads a row that is the parent of others. */
  readSpec(item: Item): void {
    if (!this.#parents.isParent(item)) return
    const parent = this.#parents.of(item)
    const record = spec({
      ...this.#shared(item),
      id: this.#specIdOf(item),
      status: specStatuses[statusOf(item, this.#collected)],
      context:
        parent === undefined
          ? null
          : isRow(parent)
            ? partOf(this.#ids.get(parent)!, parent.text('title') ?? '')
            : partOf(parent.name, parent.title ?? parent.name),
    })
    if (parent !== undefined && !isRow(parent)) this.#absentSpec(parent, item)
    this.#collected.add(record)
    this.#keepRest(item, record, 'resolution')
    for (const field of ['priority', 'due', 'closed', 'cancelled'] as const)
      this.#collected.keep(record, field, item.text(field))
    for (const { text } of item.comments()) this.#collected.keep(record, 'comment', text)
  }

  readCard(item: Item): void {
    if (this.#parents.isParent(item)) return
    const { words } = this.#collected
    const status = statusOf(item, this.#collected)
    const card_type = words.cardType(item.text('type'), item.place)
    const conclusions = conclusionsOf(item, status)
    const record = card({
      ...this.#shared(item),
      id: this.#ids.get(item)!,
      spec_id: this.#specOf(item),
      status,
      priority: words.priority(item.text('priority'), item.place, numberedPriorities),
      card_type,
      severity: card_type === 'bug' ? words.severity(item.text('severity'), item.place) : null,
      due_date: item.moment('due'),
      moved_at: closedAt(item, status),
      conclusions,
    })
    this.#collected.add(record)
    this.#keepRest(item, record, ...(conclusions.length === 0 ? (['resolution'] as const) : []))
    for (const field of ['due', 'closed', 'cancelled'] as const) this.#keepUnread(item, record, field)
    this.#addComments(item, record)
  }

  /** Reads the links between cards, once all rows are read. */
  readLinks(item: Item): void {
    const { waitsFor, blocks } = relationsOf(item, this.#references)
    for (const name of waitsFor) this.#link(item, name, other => [item, other])
    for (const name of blocks) this.#link(item, name, other => [other, item])
  }

  /** @param ends returns the waiting row and the one that it waits for */
  #link(item: Item, name: string, ends: (other: Item) => readonly [Item, Item]): void {
    const { place } = item
    const others = this.#references.named(name).filter(row => row !== item)
    const [other, another] = others
    const about = { place, kind: 'dependency' as const, id: `${this.#ids.get(item)} – ${name}` }
    if (other === undefined) this.#collected.skipped(about, `A link to ${name}, which is not here.`)
    else if (another !== undefined)
      this.#collected.skipped(
        about,
        `A link to ${name}, which could be the row in line ${others.map(row => row.place.line).join(' or ')}.`,
      )
    else {
      const spec = [item, other].find(end => this.#parents.isParent(end))
      const [card, dependsOn] = ends(other)
      if (spec === undefined)
        this.#collected.link({
          card_id: this.#ids.get(card)!,
          depends_on_id: this.#ids.get(dependsOn)!,
          place,
          created_at: null,
        })
      else
        this.#collected.note(
          { place, kind: spec === item ? 'spec' : 'card', id: this.#ids.get(item)! },
          `It is linked with ${name}. ${this.#ids.get(spec)} is a spec, and only cards depend on one another.`,
        )
    }
  }

  /** The fields that specs and cards share. */
  #shared(item: Item) {
    const [assignee = null, ...others] = assigneesOf(item).map(name => this.#accounts.get(name) ?? name)
    return {
      place: item.place,
      title: item.text('title') ?? '',
      archived: isArchived(item, this.#collected),
      description: item.text('description'),
      assignee_id: assignee,
      labels: distinct([...labelsOf(item), ...others.map(name => `also:@${name}`)]),
      created_by: authorOf(item),
      created_at: item.moment('created'),
      updated_at: item.moment('updated'),
    }
  }

  /** The spec of a parent row: its id is the row's own id, so that it stays one spec if the row disappears. */
  #specIdOf(item: Item): string {
    return specIdOf(this.#ids.get(item)!)
  }

  #specOf(item: Item): string {
    const parent = this.#parents.of(item)
    if (parent === undefined) return this.#collected.imported(item.place).id
    return isRow(parent) ? this.#specIdOf(parent) : this.#absentSpec(parent, item)
  }

  /** The spec for a parent that is not a row, identified by its key and title. */
  #absentSpec({ name, title }: AbsentParent, { place }: Item): string {
    const fields = title === null || title === name ? {} : { title: `${name}: ${title}` }
    return this.#collected.ownSpec(name, place, fields).id
  }

  #addComments(item: Item, { id }: NeutralCard): void {
    const about = { place: item.place, kind: 'comment' as const }
    for (const { text, author, created_at } of item.comments())
      this.#collected.add(
        comment({
          id: this.#collected.freeId(`${id}#comment-${digest(`${created_at}\n${author}\n${text}`)}`, about),
          place: item.place,
          card_id: id,
          content: text,
          created_by: author === null ? null : (this.#accounts.get(author) ?? author),
          created_at,
        }),
      )
  }

  /** Keeps the fields that have no counterpart in the record. */
  #keepRest(item: Item, record: NeutralSpec | NeutralCard, ...fields: readonly Field[]): void {
    this.#collected.keep(
      record,
      'other ids',
      item.cells('id').filter(id => id !== ownId(item)),
    )
    for (const field of ['created', 'updated'] as const) this.#keepUnread(item, record, field)
    this.#collected.keep(record, 'Related issues', otherRelations(item))
    this.#collected.keepAll(
      record,
      item.rest(
        ...alwaysKept,
        ...boxesWithDetails(item),
        ...(item.cells('parent').length > 0 ? (['epic', 'epic_title'] as const) : []),
        ...fields,
      ),
    )
  }

  /** Keeps times that cannot be read. */
  #keepUnread(
    item: Item,
    record: NeutralSpec | NeutralCard,
    field: 'created' | 'updated' | 'due' | 'closed' | 'cancelled',
  ): void {
    if (item.moment(field) === null) this.#collected.keep(record, field, item.text(field))
  }
}

/** Fields with more detail than the record's field: they are also kept unchanged. */
const alwaysKept: readonly Field[] = ['type', 'severity', 'reason', 'status_category']

/** The resolution of a finished row. */
function conclusionsOf(item: Item, status: Status): NeutralConclusion[] {
  const resolution = item.text('resolution')
  if (status !== 'done' || resolution === null) return []
  return [conclusion({ text: resolution, author: null, created_at: closedAt(item, status) })]
}

/** The labels of a row: from several columns, separated by commas; Azure DevOps separates by `; `. */
const labelsOf = (item: Item): string[] => item.cells('labels').flatMap(cell => cell.split(/,|; /))
