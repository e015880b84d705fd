import { Guarded, type Guards } from './guarded.tsx'

interface ChoiceProps<Value extends string> extends Guards {
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
}

/** One of a few things, with a label above. */
export const Choice = <Value extends string>({
  label,
  value,
  defaultValue,
  options,
  onChange,
  none,
  name,
  ...guards
}: ChoiceProps<Value>) => (
  <label className="field">
    <span>{label}</span>
    <Guarded {...guards}>
      {closed => (
        <select
          className="input"
          aria-label={label}
          name={name}
          value={value}
          defaultValue={defaultValue}
          onChange={
            onChange && (event => onChange(options.find(option => option.value === event.target.value)?.value ?? ''))
          }
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
  </label>
)
