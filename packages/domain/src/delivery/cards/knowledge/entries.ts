import { invalid } from '../../../kernel/errors.ts'
import { firstRepeated } from '../../../lib/first-repeated.ts'
import { sameJson } from '../../../lib/json.ts'
import type { Knowledge } from '../../card-record/record.ts'
import { isBlank } from '../gates/report.ts'

/** The texts of an entry as a caller sends them. */
export interface SentEntry {
  readonly id?: string
  readonly title?: string
  readonly content?: string
  readonly description?: string | null
  readonly mime_type?: string
  readonly source?: string
}

/** Who writes, when, and where new ids come from. */
export interface Author {
  readonly id: string
  readonly now: string
  readonly newId: () => string
}

/** What a new entry has unless said, and an entry of a list that replaces another. */
const defaults = { description: null, mime_type: 'text/markdown', source: 'manual' }

/**
 * An entry as the card keeps it: what is sent over what is stored, title and description trimmed, a blank
 * description null, content as sent (cards 8). Nothing new leaves it as it is.
 * @throws DomainError VALIDATION_ERROR for a blank title or content
 */
export function mergedEntry(sent: SentEntry, stored: Knowledge | undefined, author: Author): Knowledge {
  for (const name of ['title', 'content'] as const)
    if (sent[name] !== undefined && isBlank(sent[name])) throw invalid(name, `${name} must not be blank.`)
  const description = sent.description === undefined ? stored?.description : sent.description
  const entry: Knowledge = {
    id: stored?.id ?? sent.id ?? author.newId(),
    title: (sent.title ?? stored?.title ?? '').trim(),
    description: description?.trim() || null,
    content: sent.content ?? stored?.content ?? '',
    mime_type: sent.mime_type ?? stored?.mime_type ?? defaults.mime_type,
    source: sent.source ?? stored?.source ?? defaults.source,
    author_id: stored?.author_id ?? author.id,
    created_at: stored?.created_at ?? author.now,
    updated_at: stored?.updated_at ?? author.now,
  }
  return stored === undefined || sameJson(stored, entry) ? entry : { ...entry, updated_at: author.now }
}

/**
 * The whole list as a card's update replaces it; entries without id get one, those with a known one keep their
 * author and the time they were made.
 * @throws DomainError VALIDATION_ERROR for a blank title or content, or an id that stands twice
 */
export function mergedEntries(sent: readonly SentEntry[], stored: readonly Knowledge[], author: Author): Knowledge[] {
  const ids = sent.flatMap(entry => entry.id ?? [])
  const repeated = firstRepeated(ids)
  if (repeated !== undefined) throw invalid('knowledge_bases', `Two entries have the id ${repeated}.`)
  return sent.map(entry =>
    mergedEntry(
      { ...defaults, ...entry },
      stored.find(({ id }) => id === entry.id),
      author,
    ),
  )
}
