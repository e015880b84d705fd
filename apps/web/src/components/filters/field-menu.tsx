import { useState } from 'react'
import { messages } from '../../messages/messages.ts'
import { Icon } from '../icon.tsx'
import { Menu, MenuItem } from '../menu.tsx'
import { opening } from '../part.tsx'
import Picker from '../picker.tsx'
import { dayOfBound, type FilterField } from './fields.ts'

const CalendarPopover = opening(() => import('../calendar-popover.tsx'))

interface FieldMenuProps {
  readonly fields: readonly FilterField[]
  /** The property whose values are offered, without choosing a property first. */
  readonly field?: FilterField | undefined
  readonly query: URLSearchParams
  readonly anchor: HTMLElement
  readonly onChange: (name: string, value: string) => void
  readonly onClose: () => void
}

/** The menu of filters: first the property, then its values. */
export default function FieldMenu({ fields, field: first, query, anchor, onChange, onClose }: FieldMenuProps) {
  const [field, setField] = useState(first)
  const change = (name: string, value: string) => {
    onChange(name, value)
    onClose()
  }
  if (field !== undefined)
    return <Values field={field} query={query} anchor={anchor} onChange={change} onClose={onClose} />
  const turns = fields.flatMap(turnsOf)
  return (
    <Menu label={messages.board.filters.filter} anchor={anchor} onClose={onClose}>
      {fields
        .filter(({ kind }) => kind !== 'mark')
        .map(each => (
          <MenuItem key={each.name} onSelect={() => setField(each)}>
            <span className="grow">{each.label}</span>
            <Icon name="chevron" size={14} />
          </MenuItem>
        ))}
      {turns.length > 0 && <hr className="menu-line" />}
      {turns.map(({ name, value, label }) => {
        const isOn = query.get(name) === value
        return (
          <MenuItem key={`${name} ${value}`} onSelect={() => change(name, isOn ? '' : value)}>
            <span className="grow">{label}</span>
            <Icon name={isOn ? 'check' : 'blank'} size={14} />
          </MenuItem>
        )
      })}
    </Menu>
  )
}

/** The values of a filter that are toggled in the menu itself. */
function turnsOf(field: FilterField): readonly { name: string; value: string; label: string }[] {
  const { name } = field
  if (field.kind === 'mark') return [{ name, value: '1', label: field.label }]
  return field.kind === 'day' && field.moment !== undefined ? [{ name, ...field.moment }] : []
}

interface ValuesProps extends Pick<FieldMenuProps, 'query' | 'anchor' | 'onChange' | 'onClose'> {
  readonly field: FilterField
}

function Values({ field, query, anchor, onChange, onClose }: ValuesProps) {
  const { name, label } = field
  const value = query.get(name) ?? ''
  const choose = (chosen: string) => onChange(name, chosen)
  if (field.kind === 'mark') return null
  if (field.kind === 'day')
    return (
      <CalendarPopover
        label={label}
        anchor={anchor}
        at={anchor}
        day={dayOfBound(value)}
        range={field.range}
        onChoose={choose}
        onClose={onClose}
      />
    )
  return (
    <Picker
      label={label}
      anchor={anchor}
      options={field.options}
      chosen={[value]}
      onChoose={choose}
      {...(field.isOpen && { onNew: choose })}
      onClose={onClose}
    />
  )
}
