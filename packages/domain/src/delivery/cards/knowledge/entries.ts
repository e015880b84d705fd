import { issueItem, maxElements } from '@specboard/contract'
import { InvalidInput, invalid } from '../../../kernel/errors.ts'
import { listAfter, type Mode } from '../../../kernel/sent-lists.ts'
import { firstRepeated } from '../../../lib/first-repeated.ts'
import { sameJson } from '../../../lib/json.ts'
import type { Knowledge } from '../../card-record/record.ts'
import { isBlank } from '../gates/report.ts'

/** An entry as sent. */
export interface SentEntry {
  readonly id?: string
  readonly title?: string
  readonly content?: string
  readonly description?: string | null
  readonly mime_type?: string
  readonly source?: string
}

/** The reference of an entry that has no number yet. */
export const unnumbered = ''

/** The author of a write, its time, and the source of new ids. */
export interface Author {
  readonly id: string
  readonly now: string
  readonly newId: () => string
}

/** The defaults of a new entry. */
const defaults = { description: null, mime_type: 'text/markdown', source: 'manual' }

/**
 * An entry as stored on the card: the sent fields over the stored ones, title and description trimmed, a blank
 * description as null, content as sent (cards 8). Without changes, it is the stored one.
 * @throws DomainError VALIDATION_ERROR for a blank title or content
 */
export function mergedEntry(input: SentEntry, stored: Knowledge | undefined, author: Author): Knowledge {
  for (const name of ['title', 'content'] as const)
    if (input[name] !== undefined && isBlank(input[name])) throw invalid(name, `${name} must not be blank.`)
  const description = input.description === undefined ? stored?.description : input.description
  const entry: Knowledge = {
    id: stored?.id ?? input.id ?? author.newId(),
    title: (input.title ?? stored?.title ?? '').trim(),
    description: description?.trim() || null,
    content: input.content ?? stored?.content ?? '',
    mime_type: input.mime_type ?? stored?.mime_type ?? defaults.mime_type,
    source: input.source ?? stored?.source ?? defaults.source,
    author_id: stored?.author_id ?? author.id,
    created_at: stored?.created_at ?? author.now,
    updated_at: stored?.updated_at ?? author.now,
    ref: stored?.ref ?? unnumbered,
  }
  return stored === undefined || sameJson(stored, entry) ? entry : { ...entry, updated_at: author.now }
}

/**
 * The list of a card's update as it will be stored (crew 1.2, 1.3). Stored entries may be named by their references
 * (crew 8.2). Entries without an id get one; those with a known id keep their author, their creation time and the
 * fields that were left out.
 * @throws DomainError VALIDATION_ERROR for a blank title or content, or a repeated id
 * @throws InvalidInput for a new entry without title or content
 */
export function mergedEntries(
  input: readonly SentEntry[],
  stored: readonly Knowledge[],
  author: Author,
  mode: Mode = 'replace',
): Knowledge[] {
  const idOf = new Map(stored.map(({ id, ref }) => [ref.toLowerCase(), id]))
  const entries = input.map(entry => {
    const id = idOf.get(entry.id?.toLowerCase() ?? '')
    return id === undefined ? entry : { ...entry, id }
  })
  const ids = entries.flatMap(entry => entry.id ?? [])
  const repeated = firstRepeated(ids)
  if (repeated !== undefined) throw invalid('knowledge_bases', `Two entries have the id ${repeated}.`)
  return listAfter(stored, entries, mode, (entry, existing, index) => {
    if (existing === undefined) refuseIncomplete(entry as SentEntry, index)
    return mergedEntry(entry as SentEntry, existing as Knowledge | undefined, author)
  }) as Knowledge[]
}

function refuseIncomplete(entry: SentEntry, index: number): void {
  const missing = (['title', 'content'] as const).filter(name => entry[name] === undefined)
  if (missing.length === 0) return
  throw new InvalidInput(
    missing.map(name => issueItem(['body', 'knowledge_bases', index, name], 'missing', 'Field required')),
  )
}

/** Maximum number of characters of all knowledge of a card: it is read with the card (walls 3, rule 2). */
const maxCharacters = 8 << 20

const charactersOf = (entries: readonly Knowledge[]): number =>
  entries.reduce(
    (sum, { title, description, content }) => sum + title.length + (description?.length ?? 0) + content.length,
    0,
  )

/**
 * Refuses knowledge of a card beyond its limits, unless there was already as much.
 * @throws InvalidInput
 */
export function checkRoom(before: readonly Knowledge[], after: readonly Knowledge[]): void {
  const tooMany = after.length > maxElements && after.length > before.length
  const tooLong = charactersOf(after) > maxCharacters && charactersOf(after) > charactersOf(before)
  if (!tooMany && !tooLong) return
  const message = tooMany
    ? `A card has at most ${maxElements} entries of knowledge. Delete one, or put the knowledge on the spec.`
    : `The knowledge of a card has at most ${maxCharacters} characters in total. Shorten an entry, or attach a file.`
  const max_length = tooMany ? maxElements : maxCharacters
  throw new InvalidInput([issueItem(['body', 'content'], 'too_long', message, { max_length })])
}
