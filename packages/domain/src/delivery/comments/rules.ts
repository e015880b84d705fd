import { invalid } from '../../kernel/errors.ts'
import { firstRepeated } from '../../lib/first-repeated.ts'
import type { CommentRecord } from './store.ts'

type Choice = NonNullable<CommentRecord['choices']>[number]

/** The fields of a comment that decide which responses are valid. */
export type Offer = Pick<CommentRecord, 'comment_type' | 'choices' | 'allow_free_text'>

/** A valid response. */
export interface Response {
  /** The ids of the selected choices, without repeats. */
  readonly selected: string[]
  /** Null when it is only white space. */
  readonly free_text: string | null
}

/**
 * The choices of a new comment; a text comment has none.
 * @throws DomainError VALIDATION_ERROR for a choice comment without choices or with a repeated id
 */
export function checkedChoices(
  type: CommentRecord['comment_type'],
  choices: readonly Choice[] | null | undefined,
): Choice[] | null {
  if (type === 'text') return null
  const offered = choices ?? []
  if (offered.length === 0) throw invalid('choices', `A ${type} comment offers at least one choice.`)
  const ids = offered.map(choice => choice.id)
  const repeated = firstRepeated(ids)
  if (repeated !== undefined) throw invalid('choices', `Two choices have the id ${repeated}. Give each its own.`)
  return [...offered]
}

/**
 * A response as stored (cards 9).
 * @throws DomainError VALIDATION_ERROR when it does not fit the comment
 */
export function checkedResponse(
  { comment_type, choices, allow_free_text }: Offer,
  response: { readonly selected: readonly string[]; readonly free_text: string | null },
): Response {
  if (comment_type === 'text') throw invalid('comment_id', 'A text comment offers no choices; comment on the card.')
  const selected = [...new Set(response.selected)]
  const available = (choices ?? []).map(choice => choice.id)
  const unknown = selected.filter(id => !available.includes(id))
  if (unknown.length > 0)
    throw invalid('selected', `The comment offers no choice ${unknown.join(', ')}.`, { unknown, available })
  if (comment_type === 'choice' && selected.length > 1)
    throw invalid('selected', 'This comment takes one choice; select one.')
  const free_text = response.free_text?.trim() ? response.free_text : null
  if (free_text !== null && !allow_free_text)
    throw invalid('free_text', 'This comment takes no free text; use selected.')
  if (selected.length === 0 && free_text === null)
    throw invalid('selected', allow_free_text ? 'Select a choice or send a free_text.' : 'Select a choice.')
  return { selected, free_text }
}
