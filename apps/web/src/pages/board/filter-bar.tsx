import { useId, useMemo } from 'react'
import { Icon } from '../../components/icon.tsx'
import { type BoardListItem, useNames, useSpecs, useSprints } from '../../data/boards.ts'
import { type CardSummary, cardPriorities } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { type Filters, isFiltered, marks, none, readFilters, withFilter, withoutFilters } from './filters.ts'
import { type LaneKind, laneKinds } from './lanes.ts'

interface FilterBarProps {
  readonly board: BoardListItem
  readonly cards: readonly CardSummary[]
  readonly shown: number
  readonly query: URLSearchParams
  readonly laneKind: LaneKind
  /** Typed words take no step of their own in the history. */
  readonly onChange: (query: URLSearchParams, isTyped: boolean) => void
}

type Choice = readonly [value: string, label: string]

const texts = messages.board

/** What the board is filtered by. */
export function FilterBar({ board, cards, shown, query, laneKind, onChange }: FilterBarProps) {
  const filters = readFilters(query)
  const choices = useChoices(board.id, cards)
  const set = (name: keyof Filters, value: string | boolean) => onChange(withFilter(query, name, value), name === 'q')
  return (
    <search className="filter-bar">
      <strong className="truncate board-name">{board.name}</strong>
      <span className="muted numbers" aria-live="polite">
        {texts.count(shown, cards.length)}
      </span>
      <div className="filter-text">
        <Icon name="search" />
        <input
          className="input"
          type="search"
          name="q"
          aria-label={texts.filters.text}
          placeholder={texts.filters.text}
          value={filters.q}
          onChange={event => set('q', event.target.value)}
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
          choices={laneKinds.filter(kind => kind !== 'none').map(kind => [kind, texts.lanes[kind]])}
          onChange={value => {
            const next = new URLSearchParams(query)
            if (value === '') next.delete('lanes')
            else next.set('lanes', value)
            onChange(next, false)
          }}
        />
        {isFiltered(filters) && (
          <button type="button" className="button quiet" onClick={() => onChange(withoutFilters(query), false)}>
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
  return (
    <span className={value === '' ? 'filter-select' : 'filter-select chosen'}>
      <label className="hidden" htmlFor={id}>
        {label}
      </label>
      <select id={id} className="input" value={value} onChange={event => onChange(event.target.value)}>
        <option value="">{label}</option>
        {choices.map(([choice, says]) => (
          <option key={choice} value={choice}>
            {says}
          </option>
        ))}
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
