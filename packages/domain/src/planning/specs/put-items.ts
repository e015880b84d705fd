/** put_spec_items (crew 1.1): items of a spec one by one. */
import {
  type features,
  type IssueItem,
  type ItemList,
  listPermissions,
  type Permission,
  specItems,
  textLists,
} from '@specboard/contract'
import { refuseArchived } from '../../kernel/archived.ts'
import { InvalidInput, invalid } from '../../kernel/errors.ts'
import type { Implementation } from '../../kernel/implement.ts'
import { idOf, listAfter, tooLong, wholeItem } from '../../kernel/sent-lists.ts'
import { sameJson } from '../../lib/json.ts'
import { nearestTexts } from '../../lib/nearest-texts.ts'
import type { Change } from '../../schema/contents.ts'
import type { SpecFields } from './content.ts'
import { itemLists, newIds } from './item-ids.ts'
import { indexIn } from './references.ts'
import type { ItemInUse } from './removals.ts'
import { refuseStanding } from './standing.ts'
import { readSpec, type SpecRecord } from './store.ts'
import { changeSpec } from './update.ts'

type PutSpecItems = Implementation<typeof features.specs.put_spec_items>
type Body = Parameters<PutSpecItems>[0]['body']

type TextList = (typeof textLists)[number]
type List = ItemList | TextList

/** An item or text that the call names. */
interface NamedItem {
  readonly list: List
  readonly id?: string
  readonly text?: string
}

const lists: readonly List[] = [...itemLists, ...textLists]

/** put_spec_items (crew 1.1). */
export const putSpecItems: PutSpecItems = async ({ params, body }, ctx) => {
  refuseArchived(ctx.target)
  const before = await readSpec(ctx.db, params.spec_id)
  refuseStanding(before)
  const { remove = [], allow_removal, ...entries } = body
  const removed = remove.map(name => removalOf(before, name))
  ctx.require(...permissionsOf(removed))
  if (removed.length === 0 && lists.every(list => (entries[list] ?? []).length === 0))
    throw invalid('remove', 'Send at least one entry of a list, or an id to remove.')
  const put = new Put(before)
  put.remove(removed)
  for (const list of itemLists) put.items(list, entries[list])
  for (const list of textLists) put.texts(list, entries[list])
  put.refuseFaults()
  await changeSpec(ctx, before, put.wanted, { allow_removal, texts: put.textsInUse, historyOf: itemChanges })
  const after = await readSpec(ctx.db, before.id)
  const { id: spec_id, ref, rev, version, status } = after
  return { spec_id, ref, rev, version, status, ...put.changes(after) }
}

/** The permissions for the lists of some removals (access 2.3). */
const permissionsOf = (removed: readonly NamedItem[]): Permission[] => [
  ...new Set(
    removed.map(({ list }) =>
      Object.hasOwn(listPermissions, list) ? listPermissions[list as keyof typeof listPermissions] : 'SPECS_UPDATE',
    ),
  ),
]

/**
 * The item or text that an entry of `remove` refers to: an id, `<list>.<id>`, or an exact text.
 * @throws DomainError VALIDATION_ERROR if there is none, and for an id that occurs in several lists
 */
function removalOf(spec: SpecRecord, name: string): NamedItem {
  const found: NamedItem[] = itemLists.flatMap(list =>
    itemIn(spec, list, name) === undefined ? [] : [{ list, id: name }],
  )
  if (found.length > 1) {
    const having = found.map(({ list }) => list)
    throw invalid('remove', `${having.join(' and ')} have the id ${name}. Write ${having[0]}.${name}.`, {
      lists: having,
    })
  }
  const exact = itemLists.flatMap(list => {
    const id = name.startsWith(`${list}.`) ? name.slice(list.length + 1) : undefined
    return id === undefined || itemIn(spec, list, id) === undefined ? [] : [{ list, id }]
  })
  const textual = [...textLists, 'technical_requirements' as const].flatMap(list =>
    (spec[list] as readonly unknown[] | null)?.includes(name) ? [{ list, text: name }] : [],
  )
  const match = found[0] ?? exact[0] ?? textual[0]
  if (match !== undefined) return match
  throw invalid('remove', 'No item has this id, and no entry this text. Read them with get_spec.', {
    value: name.slice(0, 200),
    nearest: nearestTexts(name, namesIn(spec)),
  })
}

/** The possible values of an entry of `remove`. */
const namesIn = (spec: SpecRecord): string[] =>
  lists.flatMap(list => ((spec[list] ?? []) as readonly unknown[]).map(item => idOf(item) ?? String(item)))

const itemIn = (spec: SpecRecord, list: ItemList, id: string): unknown =>
  ((spec[list] ?? []) as readonly unknown[]).find(item => idOf(item) === id)

/** The lists of a spec while the entries of a call are merged into them. */
class Put {
  readonly #before: SpecRecord
  readonly #lists: Partial<Record<List, unknown[]>> = {}
  readonly #named: (NamedItem & { readonly isReworded?: true })[] = []
  readonly #removed: NamedItem[] = []
  readonly #faults: IssueItem[] = []
  readonly textsInUse: ItemInUse[] = []

  constructor(before: SpecRecord) {
    this.#before = before
  }

  /** The lists that the call changes, in their wanted state. */
  get wanted(): SpecFields {
    return this.#lists as SpecFields
  }

  #stored(list: List): readonly unknown[] {
    return (this.#before[list] ?? []) as readonly unknown[]
  }

  #list(list: List): unknown[] {
    return this.#lists[list] ?? [...this.#stored(list)]
  }

  /** Removes items and texts, and the references to the texts. What is named twice is removed once. */
  remove(removed: readonly NamedItem[]): void {
    for (const named of removed) {
      const { list, id, text } = named
      const place = this.#list(list).findIndex(item => (id === undefined ? item === text : idOf(item) === id))
      if (place === -1) continue
      this.#removed.push(named)
      if (isTextList(list)) this.#dropReferences(list, place)
      this.#lists[list] = this.#list(list).toSpliced(place, 1)
    }
  }

  /**
   * Adds or changes items: an item with a stored id is changed, others are appended, with an id from the service if
   * they lack one.
   */
  items(list: ItemList, entries: readonly unknown[] | undefined): void {
    if (entries === undefined || entries.length === 0) return
    const removed = new Set(this.#removed.filter(named => named.list === list).map(({ id }) => id))
    const both = entries.map(idOf).find(id => id !== undefined && removed.has(id))
    if (both !== undefined) throw invalid('remove', `${list} ${both} is both sent and removed. Do one of them.`)
    const explicit = entries.flatMap(entry => idOf(entry) ?? [])
    const stored = this.#stored(list).flatMap(item => idOf(item) ?? [])
    const ids = newIds(list, [...stored, ...explicit], this.#before.removed_item_numbers ?? {})
    const items = entries.map(entry =>
      typeof entry !== 'object' || entry === null || idOf(entry) !== undefined
        ? entry
        : { ...entry, id: ids.next().value },
    )
    for (const entry of items) this.#named.push({ list, ...nameOf(entry) })
    this.#lists[list] = listAfter(this.#list(list), items, 'merge', wholeItem(list, specItems[list], this.#faults))
  }

  /** Adds texts at the end, or replaces existing ones, whose references follow. */
  texts(list: TextList, entries: Body[TextList]): void {
    for (const [index, entry] of (entries ?? []).entries()) {
      const texts = this.#list(list) as string[]
      if (typeof entry === 'string') {
        this.#named.push({ list, text: entry })
        this.#lists[list] = texts.includes(entry) ? texts : [...texts, entry]
        continue
      }
      const { was, text } = entry
      const place = texts.indexOf(was)
      if (place === -1)
        throw invalid(list, `${list}.${index}: no entry is "${was.slice(0, 200)}". Send the exact text as was.`, {
          nearest: nearestTexts(was, texts),
        })
      this.#named.push(was === text ? { list, text } : { list, text, isReworded: true })
      this.#lists[list] = texts.with(place, text)
      this.#eachReference(list, reference => (reference === was ? text : reference))
    }
  }

  /** @throws InvalidInput for new items that lack required members, and for lists that grew too long */
  refuseFaults(): void {
    for (const list of lists) this.#faults.push(...tooLong(list, this.#stored(list), this.#list(list)))
    if (this.#faults.length > 0) throw new InvalidInput(this.#faults)
  }

  /** Removes the references to an entry of a text list; references by index to later entries are shifted. */
  #dropReferences(list: TextList, place: number): void {
    const texts = this.#list(list) as readonly string[]
    const title = texts[place]!
    let isUsed = false
    this.#eachReference(list, reference => {
      const index = indexIn(texts, reference)
      if (index === place || (index === undefined && reference === title)) {
        isUsed = true
        return undefined
      }
      return index === undefined || index < place ? reference : String(index - 1)
    })
    if (isUsed) this.textsInUse.push({ list, id: null, title, uses: ['item'] })
  }

  /** Replaces the references to entries of a text list. */
  #eachReference(list: TextList, replaced: (reference: string) => string | undefined): void {
    for (const { owner, field } of referring[list]) {
      const items = this.#list(owner) as Readonly<Record<string, unknown>>[]
      const after = items.map(item => {
        const references = item[field] as readonly string[] | null | undefined
        const remaining = references?.flatMap(reference => replaced(reference) ?? [])
        return remaining === undefined || sameJson(remaining, references) ? item : { ...item, [field]: remaining }
      })
      if (!sameJson(after, items)) this.#lists[owner] = after
    }
  }

  /** The effect of the call on what it named. */
  changes(after: SpecRecord): Changes {
    const changes: Changes = { added: [], changed: [], removed: this.#removed, unchanged: 0 }
    for (const { isReworded, ...named } of this.#named) {
      const [was, is] = [find(this.#before, named), find(after, named)]
      if (isReworded) changes.changed.push(named)
      // A text that is sent as it stood and reworded in the same call is no longer there.
      else if (is === undefined || sameJson(was, is)) changes.unchanged++
      else if (was === undefined) changes.added.push(named)
      else changes.changed.push(named)
    }
    return changes
  }
}

/** The items and texts that a call added, changed and removed; one that was already as sent counts as unchanged. */
interface Changes {
  readonly added: NamedItem[]
  readonly changed: NamedItem[]
  readonly removed: NamedItem[]
  unchanged: number
}

/** An item or text of a spec; undefined if there is none. */
const find = (spec: SpecRecord, { list, id, text }: NamedItem): unknown =>
  id === undefined
    ? ((spec[list] ?? []) as readonly unknown[]).find(item => item === text)
    : itemIn(spec, list as ItemList, id)

const isTextList = (list: List): list is TextList => textLists.some(name => name === list)

const nameOf = (entry: unknown): Pick<NamedItem, 'id' | 'text'> => {
  const id = idOf(entry)
  return id === undefined ? { text: String(entry) } : { id }
}

/** Where entries of a text list are referenced. */
const referring: Readonly<Record<TextList, readonly { readonly owner: ItemList; readonly field: string }[]>> = {
  functional_requirements: [
    { owner: 'business_rules', field: 'linked_requirements' },
    { owner: 'api_contracts', field: 'linked_requirements' },
    { owner: 'decisions', field: 'linked_requirements' },
  ],
  acceptance_criteria: [{ owner: 'test_scenarios', field: 'linked_criteria' }],
}

/** The changes of a spec item by item, `<list>.<id>`; a list of texts as a whole. */
function itemChanges(before: SpecRecord, after: SpecRecord): Change[] {
  return lists.flatMap((list): Change[] => {
    const [was, is] = [before[list] ?? [], after[list] ?? []] as readonly (readonly unknown[])[]
    if (sameJson(was, is)) return []
    const textual = (items: readonly unknown[]) => items.filter(item => idOf(item) === undefined)
    if (!sameJson(textual(was!), textual(is!))) return [{ field: list, old: before[list], new: after[list] }]
    const ids = new Set([...was!, ...is!].flatMap(item => idOf(item) ?? []))
    return [...ids].flatMap(id => {
      const [old, now] = [itemIn(before, list as ItemList, id), itemIn(after, list as ItemList, id)]
      return sameJson(old ?? null, now ?? null) ? [] : [{ field: `${list}.${id}`, old: old ?? null, new: now ?? null }]
    })
  })
}
