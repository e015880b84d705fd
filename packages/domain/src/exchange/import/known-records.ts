/** What a board knows about the source of an import, for readers that must tell repeated ids apart (imports 3). */
import type { KnownRecords } from '@specboard/importers'
import { digestOf } from '../kinds/digest.ts'

/** External ids of specs and cards, with the digests of the titles that were imported last. */
export type TitleDigests = readonly (readonly [id: string, digest: string])[]

export function knownRecords(titles: TitleDigests): KnownRecords {
  const byId = new Map(titles)
  return { has: id => byId.has(id), isTitled: (id, title) => byId.get(id) === digestOf(title) }
}
