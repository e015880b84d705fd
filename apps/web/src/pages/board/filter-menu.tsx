import { useState } from 'react'
import { Icon } from '../../components/icon.tsx'
import { Menu, MenuItem } from '../../components/menu.tsx'
import Picker from '../../components/picker.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import type { CardSummary } from '../../data/cards.ts'
import { messages } from '../../messages/messages.ts'
import DateFilter from './date-filter.tsx'
import { withOrWithout } from './filter-chips.tsx'
import { choicesOf, otherDays, useFilterOptions } from './filter-options.ts'
import { type ChoiceField, choiceFields, marks, readFilters, withChoice, withMark } from './filters.ts'

interface FilterMenuProps {
  readonly board: BoardListItem
  readonly cards: readonly CardSummary[]
  readonly query: URLSearchParams
  readonly anchor: HTMLElement
  readonly onChange: (query: URLSearchParams) => void
  readonly onClose: () => void
}

const texts = messages.board.filters

/** The filter menu: first the property, then its values. */
export default function FilterMenu({ board, cards, query, anchor, onChange, onClose }: FilterMenuProps) {
  const [field, setField] = useState<ChoiceField>()
  const [isOther, setOther] = useState(false)
  const options = useFilterOptions(board, cards)
  const { choices, marks: chosenMarks } = readFilters(query)
  if (field !== undefined) {
    const choice = choices.find(other => other.field === field && !other.isNot) ?? { field, isNot: false, values: [] }
    const choose = (value: string) =>
      onChange(withChoice(query, { ...choice, values: withOrWithout(choice.values, value) }))
    return isOther ? (
      <DateFilter label={texts[field]} anchor={anchor} value={undefined} onChoose={choose} onClose={onClose} />
    ) : (
      <Picker
        label={texts[field]}
        anchor={anchor}
        options={choicesOf(field, options[field], choice.values)}
        chosen={choice.values}
        onChoose={value => (value === otherDays ? setOther(true) : choose(value))}
        onClose={onClose}
      />
    )
  }
  return (
    <Menu label={texts.filter} anchor={anchor} onClose={onClose}>
      {choiceFields.map(each => (
        <MenuItem key={each} onSelect={() => setField(each)}>
          <span className="grow">{texts[each]}</span>
          <Icon name="chevron" size={14} />
        </MenuItem>
      ))}
      <hr className="menu-line" />
      {marks.map(each => (
        <MenuItem
          key={each}
          onSelect={() => {
            const isChosen = chosenMarks.some(mark => mark.field === each)
            onChange(withMark(query, each, isChosen ? undefined : true))
            onClose()
          }}
        >
          <span className="grow">{texts[each]}</span>
          <Icon name={chosenMarks.some(mark => mark.field === each) ? 'check' : 'blank'} size={14} />
        </MenuItem>
      ))}
    </Menu>
  )
}
