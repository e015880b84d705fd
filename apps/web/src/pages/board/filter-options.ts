import { useMemo } from 'react'
import { wordsOfDay } from '../../components/filters/words-of-day.ts'
import { type BoardListItem, useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type CardSummary, cardPriorities } from '../../data/cards.ts'
import { knownLabels } from '../../data/labels.ts'
import { messages } from '../../messages/messages.ts'
import { spanOf } from './day-span.ts'
import { type ChoiceField, dueChoices, isDateField, none, sinceChoices } from './filters.ts'

export interface FilterOption {
  readonly value: string
  readonly label: string
}

export type FilterOptions = Readonly<Record<ChoiceField, readonly FilterOption[]>>

const texts = messages.board

const option = (value: string, label: string): FilterOption => ({ value, label })

/** The filter options of a board: its own records, and the values that occur in its cards. */
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
      created: sinceChoices.map(choice => option(choice, texts.filters.sinceChoices[choice])),
      updated: sinceChoices.map(choice => option(choice, texts.filters.sinceChoices[choice])),
    }
  }, [cards, specs, sprints, names])
}

/** The entry in a list of values that opens a calendar. */
export const otherDays = 'days'

/** The label of a value that is not in any list: a span of days, or a record that no longer exists. */
export function labelOfValue(value: string): string {
  const span = spanOf(value)
  if (span === undefined) return value
  return texts.filters.spanOf[span.kind](wordsOfDay(span.from), wordsOfDay(span.to))
}

/** The options of a property: its values, spans that are already chosen, and for days a way to choose others. */
export const choicesOf = (
  field: ChoiceField,
  options: readonly FilterOption[],
  chosen: readonly string[],
): readonly FilterOption[] =>
  isDateField(field)
    ? [
        ...options,
        ...chosen.filter(value => spanOf(value) !== undefined).map(value => option(value, labelOfValue(value))),
        option(otherDays, texts.filters.otherDays),
      ]
    : options
