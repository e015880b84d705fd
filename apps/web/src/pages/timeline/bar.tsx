import { useState } from 'react'
import { DisplayButton } from '../../components/display-button.tsx'
import { DisplayRow, DisplaySwitch, Panel } from '../../components/display-parts.tsx'
import { useIsNarrow } from '../../components/narrow.ts'
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

/** The row above the timeline: filters and scale; on a phone behind one button. */
export function TimelineBar({ onToday, ...choices }: BarProps) {
  return (
    <div className="bar">
      <h1>{texts.title}</h1>
      <span className="bar-line" />
      <button type="button" className="button" onClick={onToday}>
        {texts.today}
      </button>
      {useIsNarrow() ? <Display {...choices} /> : <InBar {...choices} />}
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

function Display(choices: Choices) {
  const [anchor, setAnchor] = useState<HTMLElement>()
  return (
    <>
      <span className="grow" />
      <DisplayButton isOpen={anchor !== undefined} onOpen={setAnchor}>
        {texts.display}
      </DisplayButton>
      {anchor !== undefined && (
        <Panel label={texts.display} anchor={anchor} onClose={() => setAnchor(undefined)}>
          <DisplayChoices {...choices} />
        </Panel>
      )}
    </>
  )
}

const DisplayChoices = ({ zoom, withDone, onZoom, onDone }: Choices) => (
  <>
    <DisplayRow label={texts.zoom}>
      <Select
        label={texts.zoom}
        value={zoom}
        options={zoomNames.map(value => ({ value, label: texts.zooms[value] }))}
        onChange={value => value !== '' && onZoom(value)}
      />
    </DisplayRow>
    <DisplaySwitch label={texts.withDone} isOn={withDone} onChange={onDone} />
  </>
)
