/** By what a row is known again in a later import (imports 3). */
import { createHash } from 'node:crypto'
import type { InPieces } from '@specboard/contract'
import type { Collected } from '../collected.ts'
import { inPieces } from '../in-pieces.ts'
import type { Field } from './field-names.ts'
import type { Item } from './item.ts'

/** A row and its id, which no other row has. */
export type Identified = ReadonlyMap<Item, string>

/** What else of a row stays as it is, where title and time do not tell it from another one. */
const furtherStable: readonly Field[] = ['author', 'reporter', 'description', 'parent', 'parent_title', 'epic']

/**
 * The rows by their ids: that of the table where it is unique, else with a digest of the title; without one, a digest of
 * the title and time, and where rows share those, of what else is stable. The order of rows never counts. Of rows that
 * repeat an id and title, the newest is read.
 */
export function* identified(items: readonly Item[], collected: Collected): InPieces<Identified> {
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

/** The id that the table itself gives a row. */
export const ownId = (item: Item): string | null => item.text('id') ?? item.text('url')

const stableDigest = (item: Item): string => digest(`${item.text('title')}\n${item.text('created')}`)

/** 32 hexadecimal digits that differ where texts do. */
export const digest = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32)

/** The row that was updated last, or stands last. */
const newestOf = (items: readonly Item[]): Item =>
  items.reduce((newest, item) => ((item.moment('updated') ?? '') >= (newest.moment('updated') ?? '') ? item : newest))

const placeName = ({ place: { entry, line } }: Item): string => `Line ${line}${entry === null ? '' : ` of ${entry}`}`
