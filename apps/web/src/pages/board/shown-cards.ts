import { useCallback, useDeferredValue, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useCards } from '../../data/cards.ts'
import { useMe } from '../../data/session.ts'
import { matcherOf, readFilters, withoutFilters, withoutOthers, withWords } from './filters.ts'
import { useTypedWords } from './typed-words.ts'

/**
 * The cards of a board, those that pass the filters in the address, the one that is open over them, and a function that
 * opens another.
 */
export function useShownCards(boardId: string) {
  const [query, setQuery] = useSearchParams()
  const me = useMe()
  const { data: cards, error } = useCards(boardId)
  const [typed, setTyped] = useTypedWords(query.get('q') ?? '', q =>
    setQuery(now => withWords(now, q), { replace: true }),
  )
  const q = useDeferredValue(typed)
  // Keeps its identity while something else in the address changes, such as the open card.
  const chosenFilters = withoutOthers(query).toString()
  const filters = useMemo(() => ({ ...readFilters(new URLSearchParams(chosenFilters)), q }), [chosenFilters, q])
  const visibleCards = useMemo(
    () => (cards ?? []).filter(matcherOf(filters, me.agent_id, Date.now())),
    [cards, filters, me.agent_id],
  )
  const clear = () => {
    setTyped('')
    setQuery(now => withoutFilters(now))
  }
  const openCard = useCallback((ref: string) => setQuery(now => withCard(now, ref)), [setQuery])
  const closeCard = () => setQuery(now => withCard(now, null))
  const openRef = query.get('card')
  return {
    query,
    setQuery,
    cards,
    error,
    typed,
    setTyped,
    filters,
    visibleCards,
    clear,
    openRef,
    openCard,
    closeCard,
  }
}

function withCard(query: URLSearchParams, ref: string | null): URLSearchParams {
  const next = new URLSearchParams(query)
  if (ref === null) next.delete('card')
  else next.set('card', ref)
  return next
}
