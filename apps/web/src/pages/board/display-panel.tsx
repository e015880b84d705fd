import { DisplayRow, DisplaySwitch, Panel } from '../../components/display-parts.tsx'
import { Select } from '../../components/select.tsx'
import { usePreferences } from '../../data/use-preferences.ts'
import { messages } from '../../messages/messages.ts'
import { densities, setPreferences } from '../../preferences.ts'
import { cardFacts, setDisplay, useDisplay } from './display.ts'
import type { DisplayProps } from './display-props.ts'
import { cardOrders, isCardOrder, isLaneKind, laneKinds } from './lanes.ts'

const texts = messages.board.display

/** How the board is displayed: lanes and order are in its address, everything else in this browser. */
export default function DisplayPanel({ query, anchor, onChange, onClose }: DisplayProps) {
  const { density } = usePreferences()
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
    <Panel label={texts.title} anchor={anchor} onClose={onClose}>
      <DisplayRow label={texts.lanes}>
        <Select
          label={texts.lanes}
          value={isLaneKind(lanes) ? lanes : 'none'}
          options={laneKinds.map(value => ({ value, label: texts.laneKinds[value] }))}
          onChange={value => set('lanes', value, 'none')}
        />
      </DisplayRow>
      <DisplayRow label={texts.order}>
        <Select
          label={texts.order}
          value={isCardOrder(order) ? order : 'hand'}
          options={cardOrders.map(value => ({ value, label: texts.orders[value] }))}
          onChange={value => set('order', value, 'hand')}
        />
      </DisplayRow>
      <DisplayRow label={texts.density}>
        <Select
          label={texts.density}
          value={density}
          options={densities.map(value => ({ value, label: texts.densities[value] }))}
          onChange={value => value !== '' && setPreferences({ density: value })}
        />
      </DisplayRow>
      <fieldset>
        <legend className="menu-title">{texts.columns}</legend>
        <DisplaySwitch
          label={texts.foldsEmpty}
          isOn={display.foldsEmpty}
          onChange={foldsEmpty => setDisplay({ foldsEmpty })}
        />
        <DisplaySwitch
          label={texts.foldsCancelled}
          isOn={display.foldsCancelled}
          onChange={foldsCancelled => setDisplay({ foldsCancelled })}
        />
      </fieldset>
      <fieldset>
        <legend className="menu-title">{texts.onCard}</legend>
        {cardFacts.map(fact => (
          <DisplaySwitch
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
    </Panel>
  )
}
