import type { QueryClient } from '@tanstack/react-query'
import { membersOf } from '../../data/boards.ts'
import { client } from '../../data/client.ts'

/** A completion of a word. */
export interface Suggestion {
  /** The text that is inserted. */
  readonly value: string
  readonly name: string
}

/** Maximum number shown at once. */
const max = 6

/** Members of a board for a word after `@`, records for one after `#`; the best first. */
export function suggestionsFor(
  key: string,
  word: string,
  boardId: string,
  queries: QueryClient,
): Promise<readonly Suggestion[]> {
  return key === '@' ? membersFor(word.toLowerCase(), boardId, queries) : recordsFor(word, boardId)
}

async function membersFor(word: string, boardId: string, queries: QueryClient): Promise<readonly Suggestion[]> {
  const members = await queries.ensureQueryData(membersOf(boardId))
  const named = members.flatMap(({ handle, name, is_active }) =>
    handle !== null && is_active ? [{ handle, name }] : [],
  )
  const begins = (text: string) => text.toLowerCase().startsWith(word)
  const fitting = named.filter(({ handle, name }) => begins(handle) || name.split(' ').some(begins))
  return fitting.slice(0, max).map(({ handle, name }) => ({ value: `@${handle}`, name }))
}

async function recordsFor(word: string, boardId: string): Promise<readonly Suggestion[]> {
  if (word === '') return []
  const { items } = await client.searchRecords({ q: word, board_id: boardId, limit: max })
  return items.flatMap(({ ref, title }) => (ref === null ? [] : [{ value: ref, name: title }]))
}

/** A list box of suggestions, as text-expander shows it. */
export function listOf(suggestions: readonly Suggestion[], label: string): HTMLElement {
  const list = document.createElement('ul')
  list.className = 'menu suggestions'
  list.role = 'listbox'
  list.ariaLabel = label
  for (const [place, { value, name }] of suggestions.entries()) {
    const option = document.createElement('li')
    option.id = `suggestion-${place}`
    option.role = 'option'
    option.className = 'menu-item row'
    option.dataset.value = value
    const about = document.createElement('bdi')
    about.className = 'muted'
    about.textContent = name
    option.append(value, about)
    list.append(option)
  }
  return list
}

/** Moves a list that was placed at the caret back into the window. */
export function keptInWindow(list: HTMLElement): void {
  const over = list.getBoundingClientRect().right - document.documentElement.clientWidth + 8
  if (over > 0) list.style.left = `${list.offsetLeft - over}px`
}
