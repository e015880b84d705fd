import { Input } from '../../components/input.tsx'
import { Select } from '../../components/select.tsx'
import { StatusSign } from '../../components/status.tsx'
import type { BoardListItem } from '../../data/boards.ts'
import { messages } from '../../messages/messages.ts'

const texts = messages.settings.limits

type Limits = BoardListItem['settings']['column_limits']

/** The columns of open cards: only they can have limits. */
const limited = [
  'not_started',
  'started',
  'in_progress',
  'validation',
  'on_hold',
] as const satisfies readonly (keyof Limits)[]

interface ColumnLimitsProps {
  readonly settings: BoardListItem['settings']
  readonly onChange: (settings: Partial<Pick<BoardListItem['settings'], 'column_limits' | 'over_column_limit'>>) => void
}

const overs = (['warn', 'refuse'] as const).map(value => ({ value, label: texts.overs[value] }))

/** The limit of each column, and what happens above it (access 4); saved when it changes. */
export function ColumnLimits({ settings: { column_limits: limits, over_column_limit }, onChange }: ColumnLimitsProps) {
  const set = (status: keyof Limits, typed: string) => {
    const { [status]: before, ...others } = limits
    const limit = typed === '' ? undefined : Number(typed)
    if (limit !== before) onChange({ column_limits: limit === undefined ? others : { ...others, [status]: limit } })
  }
  return (
    <section className="settings-group">
      <h2>{texts.title}</h2>
      <p className="muted">{texts.lead}</p>
      {limited.map(status => (
        <div key={status} className="rule">
          <StatusSign status={status} />
          <span className="grow">{messages.board.statuses[status]}</span>
          <Input
            // The new key resets the field if a value was refused, or changed elsewhere.
            key={limits[status]}
            needs={['BOARDS_UPDATE']}
            className="input numbers"
            type="number"
            aria-label={`${texts.title}: ${messages.board.statuses[status]}`}
            min={1}
            max={1000}
            defaultValue={limits[status]}
            onBlur={event => set(status, event.target.value)}
          />
        </div>
      ))}
      <div className="rule">
        <span className="grow">{texts.over}</span>
        <Select
          label={texts.over}
          value={over_column_limit}
          options={overs}
          needs={['BOARDS_UPDATE']}
          onChange={chosen => chosen !== '' && onChange({ over_column_limit: chosen })}
        />
      </div>
    </section>
  )
}
