import { useDrafted } from './drafted.ts'
import { Guarded, type Guards } from './guarded.tsx'

export interface SelectProps<Value extends string> extends Guards {
  /** For screen readers, where there is no visible label. */
  readonly label: string
  readonly value?: Value | ''
  /** The initial value in a form that is read when it is sent. */
  readonly defaultValue?: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange?: (value: Value | '') => void
  /** The label of the empty choice, if there is one. */
  readonly none?: string
  /** The name of the field in its form. */
  readonly name?: string
  readonly className?: string
  readonly disabled?: boolean
  /** Whether the form requires a choice. */
  readonly isRequired?: boolean
}

/** A select; locked for people who may not choose. */
export function Select<Value extends string>({
  label,
  options,
  onChange,
  none,
  className = 'input',
  isRequired = false,
  needs,
  allowed,
  ...select
}: SelectProps<Value>) {
  const [initial] = useDrafted(select.value === undefined ? select.name : undefined) ?? []
  return (
    <Guarded needs={needs} allowed={allowed}>
      {closed => (
        <select
          className={className}
          aria-label={label}
          onChange={
            onChange && (event => onChange(options.find(option => option.value === event.target.value)?.value ?? ''))
          }
          required={isRequired}
          {...select}
          {...(initial !== undefined && { defaultValue: initial })}
          {...closed}
        >
          {none !== undefined && <option value="">{none}</option>}
          {options.map(option => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Guarded>
  )
}
