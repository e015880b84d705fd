import { useState } from 'react'
import { useLoadedAhead } from '../../later.ts'
import { opening } from '../part.tsx'
import { Chip, Chips, ChipValue, ClearFilters, FilterButton } from './chip.tsx'
import { type FilterField, wordsOfValue } from './fields.ts'

const FieldMenu = opening(() => import('./field-menu.tsx'))

interface FiltersProps {
  readonly fields: readonly FilterField[]
  readonly query: URLSearchParams
  readonly onChange: (name: string, value: string) => void
  readonly onClear: (names: readonly string[]) => void
}

/** The filters in a page's address as chips, and a menu to add more. */
export function Filters({ fields, query, onChange, onClear }: FiltersProps) {
  const [opened, setOpened] = useState<{ readonly field?: FilterField; readonly anchor: HTMLElement }>()
  useLoadedAhead(FieldMenu)
  const chosen = fields.filter(({ name }) => (query.get(name) ?? '') !== '')
  return (
    <>
      <FilterButton
        isOpen={opened !== undefined && opened.field === undefined}
        onOpen={anchor => setOpened({ anchor })}
      />
      {chosen.length > 0 && (
        <Chips>
          {chosen.map(field => {
            const { name, label } = field
            return (
              <Chip key={name} name={label} onRemove={() => onChange(name, '')}>
                {field.kind === 'mark' ? (
                  <b>{label}</b>
                ) : (
                  <>
                    <span>{label}</span>
                    <ChipValue
                      name={label}
                      says={wordsOfValue(field, query.get(name)!)}
                      onOpen={anchor => setOpened({ field, anchor })}
                    />
                  </>
                )}
              </Chip>
            )
          })}
        </Chips>
      )}
      {chosen.length > 0 && <ClearFilters onClear={() => onClear(chosen.map(({ name }) => name))} />}
      {opened !== undefined && (
        <FieldMenu
          fields={fields}
          field={opened.field}
          query={query}
          anchor={opened.anchor}
          onChange={onChange}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  )
}
