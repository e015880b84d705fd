import { useState } from 'react'
import { Chip, Chips, ChipValue } from '../../components/filters/chip.tsx'
import { opening } from '../../components/part.tsx'
import { tintOf } from '../../components/person.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardSummary } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import { spanOf } from './day-span.ts'
import { choicesOf, labelOfValue, otherDays, useFilterOptions } from './filter-options.ts'
import { type Choice, type Filters, withChoice, withInverted, withMark } from './filters.ts'

export const Picker = opening(() => import('../../components/picker.tsx'))
const DateFilter = opening(() => import('./date-filter.tsx'))

interface FilterChipsProps {
  readonly board: BoardListItem
  readonly cards: readonly CardSummary[]
  readonly query: URLSearchParams
  readonly filters: Filters
  readonly onChange: (query: URLSearchParams) => void
}

const texts = messages.board.filters

/** The filters of the board as chips: the property, "is" or "is not", and the values; each part is a button. */
export function FilterChips({ filters, ...props }: FilterChipsProps) {
  if (filters.choices.length + filters.marks.length === 0) return null
  return <ChosenFilters {...props} filters={filters} />
}

function ChosenFilters({ board, cards, query, filters, onChange }: FilterChipsProps) {
  const options = useFilterOptions(board, cards)
  const [picked, setPicked] = useState<{
    readonly choice: Choice
    readonly anchor: HTMLElement
    readonly isOther?: true
  }>()
  const current = filters.choices.find(
    ({ field, isNot }) => field === picked?.choice.field && isNot === picked.choice.isNot,
  )
  const labelOf = ({ field }: Choice, value: string) =>
    options[field].find(o => o.value === value)?.label ?? labelOfValue(value)
  const change = (value: string) => {
    if (current !== undefined) onChange(withChoice(query, { ...current, values: withOrWithout(current.values, value) }))
  }
  return (
    <Chips>
      {filters.choices.map(choice => {
        const { field, isNot, values } = choice
        const says = values.map(value => labelOf(choice, value)).join(', ')
        const name = texts[field]
        return (
          <Chip
            key={`${field}${isNot}`}
            name={name}
            onRemove={() => onChange(withChoice(query, { ...choice, values: [] }))}
          >
            <span>{name}</span>
            <button
              type="button"
              aria-label={`${name}: ${isNot ? texts.isNot : texts.is}`}
              title={texts.turn}
              onClick={() => onChange(withInverted(query, choice))}
            >
              {isNot ? texts.isNot : texts.is}
            </button>
            <ChipValue name={name} says={says} onOpen={anchor => setPicked({ choice, anchor })}>
              {field === 'label' && values.length === 1 && <span className={`dot tint-${tintOf(values[0]!)}`} />}
            </ChipValue>
          </Chip>
        )
      })}
      {filters.marks.map(({ field, isNot }) => (
        <Chip key={field} name={texts[field]} onRemove={() => onChange(withMark(query, field, undefined))}>
          <button
            type="button"
            title={texts.turn}
            aria-label={`${texts[field]}: ${isNot ? texts.no : texts.yes}`}
            onClick={() => onChange(withMark(query, field, isNot))}
          >
            {isNot && <span>{texts.not}</span>} <b>{texts[field]}</b>
          </button>
        </Chip>
      ))}
      {picked !== undefined && current !== undefined && picked.isOther === undefined && (
        <Picker
          label={texts[current.field]}
          anchor={picked.anchor}
          options={choicesOf(current.field, options[current.field], current.values)}
          chosen={current.values}
          onChoose={value => (value === otherDays ? setPicked({ ...picked, isOther: true }) : change(value))}
          onClose={() => setPicked(now => (now?.isOther ? now : undefined))}
        />
      )}
      {picked?.isOther && current !== undefined && (
        <DateFilter
          label={texts[current.field]}
          anchor={picked.anchor}
          value={current.values.find(value => spanOf(value) !== undefined)}
          onChoose={value =>
            onChange(
              withChoice(query, {
                ...current,
                values: [...current.values.filter(other => spanOf(other) === undefined), value],
              }),
            )
          }
          onClose={() => setPicked(undefined)}
        />
      )}
    </Chips>
  )
}

/** Values with one added, or removed if it is among them. */
export const withOrWithout = (values: readonly string[], value: string): readonly string[] =>
  values.includes(value) ? values.filter(other => other !== value) : [...values, value]
