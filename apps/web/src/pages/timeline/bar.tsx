import { useRef, useState } from 'react'
import { DisplayRow, DisplaySwitch } from '../../components/display-parts.tsx'
import { Icon } from '../../components/icon.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
import { usePopover } from '../../components/popover.ts'
import { Segments } from '../../components/segments.tsx'
import { Select } from '../../components/select.tsx'
import { messages } from '../../messages/messages.ts'
import { type Zoom, zoomNames } from './days.ts'

const texts = messages.timeline

interface Choices {
  readonly zoom: Zoom
  readonly withDone: boolean
  readonly onZoom: (zoom: Zoom) => void
  readonly onDone: (withDone: boolean) => void
}

interface BarProps extends Choices {
  readonly onToday: () => void
}

/** The row above the timeline: what is shown and at which scale; on a phone behind one button. */
export function TimelineBar({ onToday, ...choices }: BarProps) {
  return (
    <div className="bar">
      <h1>{texts.title}</h1>
      <span className="bar-line" />
      <button type="button" className="button" onClick={onToday}>
        {texts.today}
      </button>
      {useIsNarrow() ? <DisplayButton {...choices} /> : <InBar {...choices} />}
    </div>
  )
}

const InBar = ({ zoom, withDone, onZoom, onDone }: Choices) => (
  <>
    <label className="row timeline-done">
      <input type="checkbox" checked={withDone} onChange={event => onDone(event.target.checked)} />
      {texts.withDone}
    </label>
    <span className="grow" />
    <Segments label={texts.zoom} options={texts.zooms} values={zoomNames} chosen={zoom} onChoose={onZoom} />
  </>
)

function DisplayButton(choices: Choices) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  return (
    <>
      <span className="grow" />
      <button
        type="button"
        className="button quiet"
        aria-haspopup="dialog"
        aria-expanded={anchor !== undefined}
        onClick={event => setAnchor(event.currentTarget)}
      >
        <Icon name="display" /> {texts.display}
      </button>
      {anchor !== undefined && <Panel {...choices} anchor={anchor} onClose={() => setAnchor(undefined)} />}
    </>
  )
}

interface PanelProps extends Choices {
  readonly anchor: HTMLElement
  readonly onClose: () => void
}

function Panel({ zoom, withDone, onZoom, onDone, anchor, onClose }: PanelProps) {
  const element = useRef<HTMLDivElement>(null)
  usePopover(element, anchor, onClose, opened => opened.querySelector('select'))
  return (
    <div ref={element} popover="auto" role="dialog" aria-label={texts.display} className="menu display-panel">
      <DisplayRow label={texts.zoom}>
        <Select
          label={texts.zoom}
          value={zoom}
          options={zoomNames.map(value => ({ value, label: texts.zooms[value] }))}
          onChange={value => value !== '' && onZoom(value)}
        />
      </DisplayRow>
      <DisplaySwitch label={texts.withDone} isOn={withDone} onChange={onDone} />
    </div>
  )
}
