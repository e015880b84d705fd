import { useId, useMemo } from 'react'
import { Icon } from '../../components/icon.tsx'
import { type BoardListItem, useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type CardSummary, cardPriorities } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { type Filters, isFiltered, marks, none, readFilters, withFilter } from './filters.ts'
import { type LaneKind, laneKinds } from './lanes.ts'

interface FilterBarProps {
  readonly board: BoardListItem
  readonly cards: readonly CardSummary[]
  readonly shown: number
  readonly query: URLSearchParams
  readonly laneKind: LaneKind
  /** The words as they are typed. */
  readonly words: string
  readonly onType: (words: string) => void
  readonly onChange: (query: URLSearchParams) => void
  readonly onClear: () => void
}

type Choice = readonly [value: string, label: string]

const texts = messages.board

const laneChoices: readonly Choice[] = laneKinds.flatMap(kind => (kind === 'none' ? [] : [[kind, texts.lanes[kind]]]))

/** What the board is filtered by. */
export function FilterBar({ board, cards, shown, query, laneKind, words, ...on }: FilterBarProps) {
  const filters = { ...readFilters(query), q: words }
  const choices = useChoices(board.id, cards)
  const set = (name: keyof Filters, value: string | boolean) => on.onChange(withFilter(query, name, value))
  return (
    <search className="filter-bar">
      <strong className="truncate board-name">{board.name}</strong>
      <span className="muted numbers" aria-live="polite">
        {cards.length > 0 && texts.count(shown, cards.length)}
      </span>
      <div className="filter-text">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          name="q"
          aria-label={texts.filters.text}
          placeholder={texts.filters.text}
          value={words}
          onChange={event => on.onType(event.target.value)}
        />
      </div>
      <div className="filter-choices">
        {choices.map(([name, label, values]) => (
          <Select
            key={name}
            label={label}
            value={filters[name]}
            choices={values}
            onChange={value => set(name, value)}
          />
        ))}
        {marks.map(name => (
          <button
            key={name}
            type="button"
            className="button"
            aria-pressed={filters[name]}
            onClick={() => set(name, !filters[name])}
          >
            {texts.filters[name]}
          </button>
        ))}
        <Select
          label={texts.lanes.label}
          value={laneKind === 'none' ? '' : laneKind}
          choices={laneChoices}
          onChange={value => {
            const next = new URLSearchParams(query)
            if (value === '') next.delete('lanes')
            else next.set('lanes', value)
            on.onChange(next)
          }}
        />
        {isFiltered(filters) && (
          <button type="button" className="button quiet" onClick={on.onClear}>
            {texts.filters.clear}
          </button>
        )}
      </div>
    </search>
  )
}

interface SelectProps {
  readonly label: string
  readonly value: string
  readonly choices: readonly Choice[]
  readonly onChange: (value: string) => void
}

/** A filter whose name stands where nothing is chosen. */
function Select({ label, value, choices, onChange }: SelectProps) {
  const id = useId()
  // The same elements while somebody types: a board may have a thousand labels.
  const options = useMemo(
    () =>
      choices.map(([choice, says]) => (
        <option key={choice} value={choice}>
          {says}
        </option>
      )),
    [choices],
  )
  return (
    <span className={value === '' ? 'filter-select' : 'filter-select chosen'}>
      <label className="hidden" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="input" value={value} onChange={event => onChange(event.target.value)}>
        <option value="">{label}</option>
        {options}
      </select>
    </span>
  )
}

type ChoiceFilter = 'spec' | 'sprint' | 'assignee' | 'label' | 'type' | 'priority'

function useChoices(
  boardId: string,
  cards: readonly CardSummary[],
): readonly (readonly [name: ChoiceFilter, label: string, choices: readonly Choice[]])[] {
  const { data: specs } = useSpecs(boardId)
  const { data: sprints } = useSprints(boardId)
  const { data: names } = useNames(boardId)
  return useMemo(() => {
    const { filters } = texts
    const assignees = [...new Set(cards.flatMap(card => card.assignee_id ?? []))].map(
      id => [id, names?.get(id) ?? id] as const,
    )
    const labels = [...new Set(cards.flatMap(card => card.labels))].sort().map(label => [label, label] as const)
    const titled = (records: typeof specs | typeof sprints, by: 'ref' | 'id') =>
      (records ?? []).map(record => [record[by], `${record.ref} ${record.title}`] as const)
    return [
      ['spec', filters.spec, [...titled(specs, 'ref'), [none, texts.noSpec]]],
      ['sprint', filters.sprint, [...titled(sprints, 'id'), [none, texts.noSprint]]],
      ['assignee', filters.assignee, [...assignees, [none, texts.unassigned]]],
      ['label', filters.label, labels],
      ['type', filters.type, Object.entries(texts.types)],
      ['priority', filters.priority, cardPriorities.map(priority => [priority, texts.priorities[priority]] as const)],
    ]
  }, [cards, specs, sprints, names])
}
