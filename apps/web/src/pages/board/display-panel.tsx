import { type ReactNode, useId, useRef } from 'react'
import { usePopover } from '../../components/popover.ts'
import { Select } from '../../components/select.tsx'
import { densities, setLooks, useLooks } from '../../data/looks.ts'
import { messages } from '../../messages/messages.ts'
import { cardFacts, setDisplay, useDisplay } from './display.ts'
import { cardOrders, isCardOrder, isLaneKind, laneKinds } from './lanes.ts'
import '../../components/menu.css'

interface DisplayPanelProps {
  readonly query: URLSearchParams
  readonly anchor: HTMLElement
  readonly onChange: (query: URLSearchParams) => void
  readonly onClose: () => void
}

const texts = messages.board.display

/** How the board is shown: lanes and order stand in its address, all else in this browser. */
export default function DisplayPanel({ query, anchor, onChange, onClose }: DisplayPanelProps) {
  const element = useRef<HTMLDivElement>(null)
  usePopover(element, anchor, onClose, opened => opened.querySelector('select'))
  const { density } = useLooks()
  const display = useDisplay()
  const lanes = query.get('lanes')
  const order = query.get('order')
  const set = (name: string, value: string, usual: string) => {
    const next = new URLSearchParams(query)
    if (value === usual || value === '') next.delete(name)
    else next.set(name, value)
    onChange(next)
  }
  return (
    <div ref={element} popover="auto" role="dialog" aria-label={texts.title} className="menu display-panel">
      <Row label={texts.lanes}>
        <Select
          label={texts.lanes}
          value={isLaneKind(lanes) ? lanes : 'none'}
          options={laneKinds.map(value => ({ value, label: texts.laneKinds[value] }))}
          onChange={value => set('lanes', value, 'none')}
        />
      </Row>
      <Row label={texts.order}>
        <Select
          label={texts.order}
          value={isCardOrder(order) ? order : 'hand'}
          options={cardOrders.map(value => ({ value, label: texts.orders[value] }))}
          onChange={value => set('order', value, 'hand')}
        />
      </Row>
      <Row label={texts.density}>
        <Select
          label={texts.density}
          value={density}
          options={densities.map(value => ({ value, label: texts.densities[value] }))}
          onChange={value => value !== '' && setLooks({ density: value })}
        />
      </Row>
      <fieldset>
        <legend className="menu-title">{texts.columns}</legend>
        <Switch
          label={texts.foldsEmpty}
          isOn={display.foldsEmpty}
          onChange={foldsEmpty => setDisplay({ foldsEmpty })}
        />
        <Switch
          label={texts.foldsCancelled}
          isOn={display.foldsCancelled}
          onChange={foldsCancelled => setDisplay({ foldsCancelled })}
        />
      </fieldset>
      <fieldset>
        <legend className="menu-title">{texts.onCard}</legend>
        {cardFacts.map(fact => (
          <Switch
            key={fact}
            label={texts.facts[fact]}
            isOn={display.facts.has(fact)}
            onChange={isOn => {
              const facts = new Set(display.facts)
              if (isOn) facts.add(fact)
              else facts.delete(fact)
              setDisplay({ facts })
            }}
          />
        ))}
      </fieldset>
    </div>
  )
}

const Row = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
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

function Switch({ label, isOn, onChange }: SwitchProps) {
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
