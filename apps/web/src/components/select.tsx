import { useDrafted } from './drafted.ts'
import { Guarded, type Guards } from './guarded.tsx'

export interface SelectProps<Value extends string> extends Guards {
  /** Said to screen readers, where no label stands above. */
  readonly label: string
  readonly value?: Value | ''
  /** What is chosen first, in a form that reads it when it is sent. */
  readonly defaultValue?: Value
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly onChange?: (value: Value | '') => void
  /** What the empty choice says, if there is one. */
  readonly none?: string
  /** Of a form. */
  readonly name?: string
  readonly className?: string
  readonly disabled?: boolean
  /** Whether a form is not sent without a choice. */
  readonly isRequired?: boolean
}

/** One of a few things; closed for who may not choose. */
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
  const [kept] = useDrafted(select.value === undefined ? select.name : undefined) ?? []
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
          {...(kept !== undefined && { defaultValue: kept })}
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
