import { maxUriCharacters } from '../nearest.ts'

/** What a `specboard://` URI addresses. */
export type ResourceAddress =
  | { readonly kind: 'me' }
  | {
      readonly kind: 'board' | 'guidelines' | 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card'
      readonly id: string
    }
  | { readonly kind: 'attachment'; readonly boardId: string; readonly cardId: string; readonly id: string }
  | { readonly kind: 'operation'; readonly name: string }
  | { readonly kind: 'guide'; readonly topic: string }

/** The kinds of record that have a page of their own. */
export type RecordKind = 'board' | 'ideation' | 'refinement' | 'spec' | 'sprint' | 'card'

const scheme = 'specboard://'

const collections: Readonly<Record<string, RecordKind>> = {
  boards: 'board',
  ideations: 'ideation',
  refinements: 'refinement',
  specs: 'spec',
  sprints: 'sprint',
  cards: 'card',
}

const collectionOf = Object.fromEntries(Object.entries(collections).map(([name, kind]) => [kind, name])) as Record<
  RecordKind,
  string
>

/** The URI of a record. */
export const recordUri = (kind: RecordKind, id: string): string => `${scheme}${collectionOf[kind]}/${id}`

/** The URI of a board's guidelines. */
export const guidelinesUri = (boardId: string): string => `${recordUri('board', boardId)}/guidelines`

/** The URI of a file of a card. */
export const attachmentUri = (boardId: string, cardId: string, id: string): string =>
  `${scheme}attachments/${boardId}/${cardId}/${id}`

/** The URI of the caller itself. */
export const meUri = `${scheme}me`

/** The URI of a guide. */
export const guideUri = (topic: string): string => `${scheme}guides/${topic}`

/** What a URI addresses; undefined for a URI that is not ours or too long. */
export function addressOf(uri: string): ResourceAddress | undefined {
  if (uri.length > maxUriCharacters || !uri.startsWith(scheme)) return undefined
  const steps = decoded(uri.slice(scheme.length).split('/'))
  if (steps === undefined || steps.includes('')) return undefined
  const [collection, id, third, fourth, ...more] = steps
  if (more.length > 0) return undefined
  if (collection === 'me') return id === undefined ? { kind: 'me' } : undefined
  if (id === undefined || collection === undefined) return undefined
  if (collection === 'attachments')
    return third === undefined || fourth === undefined
      ? undefined
      : { kind: 'attachment', boardId: id, cardId: third, id: fourth }
  if (fourth !== undefined) return undefined
  if (collection === 'boards' && third === 'guidelines') return { kind: 'guidelines', id }
  if (third !== undefined) return undefined
  if (collection === 'operations') return { kind: 'operation', name: id }
  if (collection === 'guides') return { kind: 'guide', topic: id }
  return Object.hasOwn(collections, collection) ? { kind: collections[collection]!, id } : undefined
}

function decoded(steps: readonly string[]): string[] | undefined {
  try {
    return steps.map(decodeURIComponent)
  } catch {
    return undefined
  }
}
