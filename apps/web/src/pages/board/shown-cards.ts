import { useDeferredValue, useMemo } from 'react'
import { useSearchParams } from 'wouter'
import { useCards } from '../../data/cards.ts'
import { useMe } from '../../data/session.ts'
import { matcherOf, readFilters, withoutFilters, withoutOthers, withWords } from './filters.ts'
import { useTypedWords } from './typed-words.ts'

/** The cards of a board, those of them that the address filters, and how that is changed. */
export function useShownCards(boardId: string) {
  const [query, setQuery] = useSearchParams()
  const me = useMe()
  const { data: cards, error } = useCards(boardId)
  const [typed, setTyped] = useTypedWords(query.get('q') ?? '', q =>
    setQuery(now => withWords(now, q), { replace: true }),
  )
  const q = useDeferredValue(typed)
  // The same ones while something else of the address changes, such as the card that is open.
  const chosenFilters = withoutOthers(query).toString()
  const filters = useMemo(() => ({ ...readFilters(new URLSearchParams(chosenFilters)), q }), [chosenFilters, q])
  const shown = useMemo(
    () => (cards ?? []).filter(matcherOf(filters, me.agent_id, Date.now())),
    [cards, filters, me.agent_id],
  )
  const clear = () => {
    setTyped('')
    setQuery(now => withoutFilters(now))
  }
  return { query, setQuery, cards, error, typed, setTyped, filters, shown, clear }
}
