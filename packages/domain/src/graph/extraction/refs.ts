import type { ArtifactType } from '@specboard/contract'

/** The reference of a record's root node; also the owner of everything its extraction yields (knowledge-graph 2.4). */
export const artifactRef = (type: ArtifactType, id: string): string => `${type}:${id}`

/** The reference of a part of a record. */
export const partRef = (owner: string, section: string, key: string): string => `${owner}:${section}:${key}`

/** The record at the start of a reference; null for technologies and designs. */
export function artifactOf(ref: string): { readonly type: ArtifactType; readonly id: string } | null {
  const match = /^(ideation|refinement|spec|sprint|card):([^:]+)/.exec(ref)
  return match === null ? null : { type: match[1] as ArtifactType, id: match[2]! }
}

/** An object in a list of a record, with any members. */
type Item = Readonly<Record<string, unknown>>

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A member of an item as a string; empty when it is not a string. */
export const member = (item: unknown, name: string): string => {
  const value = isItem(item) ? item[name] : undefined
  return typeof value === 'string' ? value : ''
}

/** A member of an item as a list; empty when it is not a list. */
export const listMember = (item: unknown, name: string): readonly unknown[] => {
  const value = isItem(item) ? item[name] : undefined
  return Array.isArray(value) ? value : []
}

/** The text of an item: the item itself, else the first of its `text`, `rule` and `description`, else its JSON. */
export function textOf(item: unknown): string {
  if (typeof item === 'string') return item
  const named = ['text', 'rule', 'description'].map(name => member(item, name)).find(text => text !== '')
  return named ?? JSON.stringify(item)
}

/**
 * The keys of the items of a list: the id, with white space and colons replaced by `_`, or else the position. When two
 * items have the same id, the later one gets its position, so that keys are unique.
 */
export function keysOf(items: readonly unknown[]): string[] {
  const keys = new Set<string>()
  return items.map((item, position) => {
    const own = member(item, 'id').replaceAll(/[\s:]/g, '_')
    let key = own === '' || keys.has(own) ? String(position) : own
    while (keys.has(key)) key = `_${key}`
    keys.add(key)
    return key
  })
}

/**
 * Resolves links into a list to positions. A link is either a position, as a number or in digits, or the exact text of
 * an item; if several items have that text, the first one counts. Returns null if the link leads nowhere.
 */
export function linksInto(items: readonly unknown[]): (link: unknown) => number | null {
  const byText = new Map<string, number>()
  for (const [position, item] of items.entries()) {
    const text = textOf(item).trim()
    if (!byText.has(text)) byText.set(text, position)
  }
  return link => {
    const text = String(link).trim()
    const position = /^\d+$/.test(text) ? Number(text) : -1
    return position >= 0 && position < items.length ? position : (byText.get(text) ?? null)
  }
}
