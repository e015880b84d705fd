import { type ReactNode, useId, useRef } from 'react'
import { usePopover } from './popover.ts'
import './menu.css'
import './display.css'

interface PanelProps {
  readonly label: string
  readonly anchor: HTMLElement
  readonly onClose: () => void
  readonly children: ReactNode
}

/** The panel with the display options of a page; the focus goes to its first option. */
export function Panel({ label, anchor, onClose, children }: PanelProps) {
  const element = useRef<HTMLDivElement>(null)
  usePopover(element, anchor, onClose, opened => opened.querySelector('select'))
  return (
    <div ref={element} popover="auto" role="dialog" aria-label={label} className="menu display-panel">
      {children}
    </div>
  )
}

/** An option of a panel, with its label. */
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

/** A switch that shows or hides something. */
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
