import { DisplayRow, DisplaySwitch, Panel } from '../components/display-parts.tsx'
import { Select } from '../components/select.tsx'
import { usePreferences } from '../data/use-preferences.ts'
import { messages } from '../messages/messages.ts'
import { densities, setPreferences } from '../preferences.ts'
import { type DefaultTableOptions, readTableOptions, withColumns, withGroup, withSort } from './address.ts'

/** The display options that a table offers. */
export interface TableChoices {
  /** All columns, in their order. */
  readonly order: readonly string[]
  /** Those that can be hidden. */
  readonly choosable: readonly string[]
  readonly groupings: readonly string[]
  readonly usual: DefaultTableOptions
  readonly labels: Readonly<Record<string, string>>
  /** The name of the order without a sort. */
  readonly unsorted: string
}

interface TableDisplayProps {
  readonly choices: TableChoices
  readonly query: URLSearchParams
  readonly anchor: HTMLElement
  readonly onChange: (query: URLSearchParams) => void
  readonly onClose: () => void
}

const texts = messages.list.display
const { display: boardTexts } = messages.board

/** The display options of a table: all but the density are in its address, and part of a link to it. */
export function TableDisplay({ choices, query, anchor, onChange, onClose }: TableDisplayProps) {
  const { density } = usePreferences()
  const { order, choosable, groupings, usual, labels, unsorted } = choices
  const { sort, group, columns } = readTableOptions(query, order, groupings, usual)
  const option = (value: string) => ({ value, label: labels[value] ?? value })
  const showing = (column: string, isOn: boolean) =>
    choosable.filter(each => (each === column ? isOn : columns.includes(each)))
  return (
    <Panel label={texts.title} anchor={anchor} onClose={onClose}>
      <DisplayRow label={texts.group}>
        <Select
          label={texts.group}
          value={group ?? ''}
          none={texts.noGroup}
          options={groupings.map(option)}
          onChange={value => onChange(withGroup(query, value === '' ? undefined : value, usual))}
        />
      </DisplayRow>
      <DisplayRow label={texts.sort}>
        <Select
          label={texts.sort}
          value={sort?.column ?? ''}
          none={unsorted}
          options={order.map(option)}
          onChange={column =>
            onChange(withSort(query, column === '' ? undefined : { column, isDescending: sort?.isDescending ?? false }))
          }
        />
      </DisplayRow>
      {sort !== undefined && (
        <DisplayRow label={texts.direction}>
          <Select
            label={texts.direction}
            value={sort.isDescending ? 'down' : 'up'}
            options={(['up', 'down'] as const).map(value => ({ value, label: texts.directions[value] }))}
            onChange={value => onChange(withSort(query, { ...sort, isDescending: value === 'down' }))}
          />
        </DisplayRow>
      )}
      <DisplayRow label={boardTexts.density}>
        <Select
          label={boardTexts.density}
          value={density}
          options={densities.map(value => ({ value, label: boardTexts.densities[value] }))}
          onChange={value => value !== '' && setPreferences({ density: value })}
        />
      </DisplayRow>
      <fieldset>
        <legend className="menu-title">{texts.columns}</legend>
        {choosable.map(column => (
          <DisplaySwitch
            key={column}
            label={labels[column] ?? column}
            isOn={columns.includes(column)}
            onChange={isOn => onChange(withColumns(query, showing(column, isOn), usual))}
          />
        ))}
      </fieldset>
    </Panel>
  )
}
