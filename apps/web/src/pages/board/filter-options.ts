import { useMemo } from 'react'
import { type BoardListItem, useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type CardSummary, cardPriorities } from '../../data/cards.ts'
import { knownLabels } from '../../data/labels.ts'
import { messages } from '../../messages/messages.ts'
import { type ChoiceField, dueChoices, none, updatedChoices } from './filters.ts'

export interface FilterOption {
  readonly value: string
  readonly label: string
}

export type FilterOptions = Readonly<Record<ChoiceField, readonly FilterOption[]>>

const texts = messages.board

const option = (value: string, label: string): FilterOption => ({ value, label })

/** The filter options of a board: its own records, and what its cards name. */
export function useFilterOptions(board: BoardListItem, cards: readonly CardSummary[]): FilterOptions {
  const { data: specs } = useSpecs(board.id)
  const { data: sprints } = useSprints(board.id)
  const { data: names } = useNames(board.id)
  return useMemo(() => {
    const assignees = [...new Set(cards.flatMap(card => card.assignee_id ?? []))]
    const labels = knownLabels(cards)
    return {
      spec: [...(specs ?? []).map(({ ref, title }) => option(ref, `${ref} ${title}`)), option(none, texts.noSpec)],
      sprint: [
        ...(sprints ?? []).map(({ id, ref, title }) => option(id, `${ref} ${title}`)),
        option(none, texts.noSprint),
      ],
      assignee: [...assignees.map(id => option(id, names?.get(id) ?? id)), option(none, texts.unassigned)],
      label: labels.map(label => option(label, label)),
      type: Object.entries(texts.types).map(([type, says]) => option(type, says)),
      priority: cardPriorities.map(priority => option(priority, texts.priorities[priority])),
      due: dueChoices.map(choice => option(choice, texts.filters.dueChoices[choice])),
      updated: updatedChoices.map(choice => option(choice, texts.filters.updatedChoices[choice])),
    }
  }, [cards, specs, sprints, names])
}
