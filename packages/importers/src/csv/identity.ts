/** How rows are recognised in a later import (imports 3). */
import { createHash } from 'node:crypto'
import type { InPieces } from '@specboard/contract'
import type { Collection } from '../collected.ts'
import { inPieces } from '../in-pieces.ts'
import type { Field } from './field-names.ts'
import type { Item } from './item.ts'

/** Rows with their unique ids. */
export type UniqueIds = ReadonlyMap<Item, string>

/** Further stable fields of a row, used if title and time are not unique. */
const furtherStable: readonly Field[] = ['author', 'reporter', 'description', 'parent', 'parent_title', 'epic']

/**
 * The rows with their ids: the table's own id if it is unique, otherwise with a digest of the title; without an id, a
 * digest of title and time, and if rows share those, of the other stable fields. The order of rows never matters. Of
 * rows with the same id and title, the newest is read.
 */
export function* identified(items: readonly Item[], collected: Collection): InPieces<UniqueIds> {
  const { named = [], unnamed = [] } = Object.groupBy(items, item => (ownId(item) === null ? 'unnamed' : 'named'))
  const ids = new Map<Item, string>()
  const give = (item: Item, id: string): void => {
    ids.set(item, collected.freeId(id, { place: item.place }))
  }
  yield* inPieces(
    Map.groupBy(named, item => ownId(item)!),
    ([id, group]) => {
      const byTitle = [...Map.groupBy(group, item => item.text('title') ?? '')]
      for (const [title, same] of byTitle) {
        const newest = newestOf(same)
        for (const item of same)
          if (item !== newest)
            collected.skipped(
              { place: item.place, kind: 'card', id },
              `${placeName(newest)} has the same id and is newer.`,
            )
        const own = byTitle.length === 1 ? id : `${id}~${digest(title).slice(0, 8)}`
        if (own !== id)
          collected.changed({ place: newest.place, kind: 'card', id: own }, `The id ${id} is used for several titles.`)
        give(newest, own)
      }
    },
  )
  yield* inPieces(Map.groupBy(unnamed, stableDigest), ([id, group]) => {
    if (group.length === 1) return give(group[0]!, id)
    for (const item of group.toSorted((a, b) => (a.whole() < b.whole() ? -1 : 1)))
      give(item, digest([id, ...furtherStable.map(field => item.text(field))].join('\n')))
  })
  return ids
}

/** The id of a row in the table itself. */
export const ownId = (item: Item): string | null => item.text('id') ?? item.text('url')

const stableDigest = (item: Item): string => digest(`${item.text('title')}\n${item.text('created')}`)

/** A digest of a text, as 32 hexadecimal digits. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** The row that was updated last, or is last. */
const newestOf = (items: readonly Item[]): Item =>
  items.reduce((newest, item) => ((item.moment('updated') ?? '') >= (newest.moment('updated') ?? '') ? item : newest))

const placeName = ({ place: { entry, line } }: Item): string => `Line ${line}${entry === null ? '' : ` of ${entry}`}`
