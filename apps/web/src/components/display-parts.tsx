import { type ReactNode, useId } from 'react'
import './menu.css'
import './display.css'

/** A choice of a panel, with its name before it. */
export const DisplayRow = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
  <div className="display-row">
    <span className="grow" aria-hidden="true">
      {label}
    </span>
    {children}
  </div>
)

interface SwitchProps {
  readonly label: string
  readonly isOn: boolean
  readonly onChange: (isOn: boolean) => void
}

/** Something that is shown or is not. */
export function DisplaySwitch({ label, isOn, onChange }: SwitchProps) {
  const id = useId()
  return (
    <div className="display-row">
      <label htmlFor={id} className="grow">
        {label}
      </label>
      <input
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        aria-checked={isOn}
        checked={isOn}
        onChange={event => onChange(event.target.checked)}
      />
    </div>
  )
}
