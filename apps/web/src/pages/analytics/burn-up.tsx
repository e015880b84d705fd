import { useState } from 'react'
import { Link } from 'wouter'
import { BurnUp } from '../../charts/burn-up.tsx'
import { Figure } from '../../charts/figure.tsx'
import { Failure } from '../../components/refusal.tsx'
import { Select } from '../../components/select.tsx'
import { client } from '../../data/client.ts'
import { messages } from '../../messages/messages.ts'
import { type RangeProps, useFigures } from './figures.ts'
import { useFlow } from './flow.tsx'

const texts = messages.analytics.burnUp

/** The burn-up of the board or of one of its specs. */
export function BoardBurnUp(props: RangeProps) {
  const [spec, setSpec] = useState('')
  const { boardId } = props
  const { data: specs } = useFigures('coverage', { boardId, range: {} }, args => client.getCoverageAnalytics(args))
  const { points: flow, error } = useFlow(props, spec === '' ? undefined : spec)
  if (flow === undefined && error !== null) return <Failure error={error} />
  const points = (flow ?? []).map(
    ({ cancelled, done, not_started, started, in_progress, validation, on_hold, ...at }) => ({
      ...at,
      scope: not_started + started + in_progress + validation + on_hold + done,
      done,
    }),
  )
  if (points.length === 0 && spec === '') return null
  const last = points.at(-1)
  return (
    <Figure
      title={texts.title}
      lead={last && texts.lead(last.done, last.scope)}
      file="burn-up"
      isDrawn
      tools={
        <Select
          className="input figure-select"
          label={texts.of}
          none={texts.board}
          value={spec}
          options={(specs?.items ?? []).map(({ spec_id, ref, title }) => ({
            value: spec_id,
            label: `${ref} ${title}`,
          }))}
          onChange={setSpec}
        />
      }
      chart={
        points.length === 0 ? (
          <p className="muted">{messages.analytics.none}</p>
        ) : (
          <BurnUp label={texts.title} points={points} />
        )
      }
      rows={points.toReversed()}
      keyOf={point => point.address}
      columns={[
        {
          label: messages.analytics.flow.day,
          cell: point => <Link href={point.address}>{point.label}</Link>,
          text: point => point.label,
        },
        { label: texts.scope, isNumber: true, cell: point => point.scope },
        { label: texts.done, isNumber: true, cell: point => point.done },
      ]}
    />
  )
}
